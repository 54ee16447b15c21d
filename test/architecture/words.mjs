/**
 * Words that no name may hold, each with its replacement. Each new reader has to decode a metaphor; the terms of NestJS,
 * PostgreSQL, NATS and payment systems are known. The glossary of libs/contracts/README.md holds the project's own words.
 * `word` is one word of a name, or several in a row: "let go" is found in `letGo`, `LET_GO` and `let-go.ts`.
 * `only` and `except` are paths: some of these words have another meaning there.
 */
export const WORDS = [
  { word: 'gatherer', say: 'batcher' },
  { word: 'set sender', say: 'batch sender' },
  { word: 'set statement', say: 'batched statement' },
  { word: 'set subject', say: 'batch subject' },
  { word: 'set item', say: 'batch item' },
  { word: 'claim set', say: 'claim batch' },
  { word: 'find set', say: 'find batch' },
  { word: 'insert set', say: 'insert batch' },
  { word: 'turns', say: 'semaphore, or ticks' },
  { word: 'in turn', say: 'with priority, or exclusive' },
  { word: 'take turn', say: 'acquire the lease, or lock' },
  { word: 'new turn', say: 'open a budget' },
  { word: 'sweep turn', say: 'sweep lease' },
  { word: 'submission turn', say: 'submission budget' },
  { word: 'submission slots', say: 'submission limit' },
  // In painting and Unicode, a look is an appearance.
  { word: 'look', say: 'poll', except: /^apps\/(sandbox|moderation)\// },
  { word: 'looks', say: 'polls', except: /^apps\/(sandbox|moderation)\// },
  { word: 'looked', say: 'polled', except: /^apps\/(sandbox|moderation)\// },
  { word: 'fate', say: 'failure policy, or decision' },
  { word: 'mishap', say: 'failure' },
  { word: 'misfortune', say: 'failure' },
  { word: 'bell', say: 'wake-up' },
  { word: 'doorbell', say: 'wake-up' },
  { word: 'right of way', say: 'create priority' },
  { word: 'give way', say: 'yield' },
  { word: 'neighbours', say: 'fakes' },
  { word: 'heed', say: 'apply, or record' },
  { word: 'let go', say: 'release' },
  { word: 'share out', say: 'split' },
  { word: 'storm', say: 'run concurrently, or burst' },
  { word: 'tally', say: 'count' },
  { word: 'tell', say: 'publish, report, send or print' },
  { word: 'tells', say: 'publishes, reports or sends' },
  { word: 'told', say: 'published, reported or received' },
  { word: 'hear', say: 'receive, or handle' },
  { word: 'hears', say: 'on signal' },
  { word: 'listens', say: 'on event' },
  { word: 'heard', say: 'received' },
  { word: 'asked', say: 'requested' },
  { word: 'as asked', say: 'matches the request' },
  { word: 'wish', say: 'request, params or input' },
  { word: 'wishes', say: 'requests, params or inputs' },
  { word: 'purse', say: 'locked wallet' },
  { word: 'lane', say: 'model queue, or client' },
  { word: 'lanes', say: 'model queues, or clients' },
  // H.264 calls a coded frame a picture.
  { word: 'picture', say: 'image', except: /^libs\/videos\/|^apps\/sandbox\/src\/fixtures\// },
  { word: 'pictures', say: 'images', except: /^libs\/videos\/|^apps\/sandbox\/src\/(fixtures|video)\// },
  { word: 'obstacle', say: 'unsupported' },
  { word: 'obstacles', say: 'unsupported' },
  { word: 'micros ahead', say: 'queued cost before' },
  { word: 'acceptance', say: 'creation' },
  { word: 'accepted job', say: 'created job' },
  { word: 'accepted jobs', say: 'created jobs' },
  { word: 'accept', say: 'create', only: /^apps\/jobs\/src\/(job|attempt|use-cases)\// },
  { word: 'sick', say: 'unhealthy' },
  { word: 'poor', say: 'slow', only: /^apps\/webhook-dispatcher\/src\// },
  { word: 'last words', say: 'crash reason' },
  { word: 'stand', say: 'test bed', except: /^apps\/sandbox\// },
];

/** Names that databases record stay as they are. */
const RECORDED = /\/migrations\/\d/;

/** The problems of the names that the file declares and of its own name, one sentence each. */
export function wordProblems(name, file) {
  if (RECORDED.test(file)) return [];
  const spaced = ` ${wordsOf(name).join(' ')} `;
  return WORDS.filter(({ word, only, except }) => {
    return spaced.includes(` ${word} `) && (!only || only.test(file)) && !except?.test(file);
  }).map(({ word, say }) => `${name}: instead of "${word}" say ${say}.`);
}

function wordsOf(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}
