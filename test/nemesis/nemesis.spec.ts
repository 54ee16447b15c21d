import { findViolations, RULES } from './checker';
import type { Call, History, SeenJob } from './history';
import { shrink } from './shrink';
import { type Creation, type Operation, type Plan, drawPlan, keepOnly } from './swarm';

const MONTHS = 'the months of an account lead from one to the next, and to what it has';
const CREATION: Creation = {
  ...{ endpoint: 'image', key: 'key-0', isMarked: false, tag: 'tag-0' },
  ...{ directive: '', n: 1, receiver: 'good' },
};
const JOB: SeenJob = {
  id: 'job-0',
  status: 'succeeded',
  tag: 'tag-0',
  chargedMicros: 20_000,
  createdAtMs: 0,
  completedAtMs: 1_000,
  outputs: 1,
};
const QUEUED: SeenJob = { ...JOB, status: 'queued', completedAtMs: null, outputs: 0 };

const MANY = 4_000;

function call(changes: Partial<Call>): Call {
  const seen = { differences: [], jobs: [], balanceMicros: null, feed: [], code: null };
  const drawn = { of: null, amount: 0, card: 'succeeds' as const };
  const times = { invokedAtMs: 0, answeredAtMs: 10, status: 200 };
  return { operation: 0, kind: 'read', account: 0, creation: null, ...drawn, ...seen, ...times, ...changes };
}

/** One creation, which was repeated, read and delivered. */
function trueHistory(): History {
  const accounts = [{ balanceMicros: 100_000, maxConcurrentJobs: 2 }];
  const plan: Plan = { seed: 0, installation: 'single', accounts, operations: [], faults: [] };
  return {
    plan,
    calls: [
      call({ kind: 'create', creation: CREATION, status: null, answeredAtMs: null }),
      call({ kind: 'create', creation: CREATION, invokedAtMs: 20, answeredAtMs: 30, jobs: [QUEUED] }),
      call({ invokedAtMs: 40, answeredAtMs: 50, jobs: [JOB] }),
      call({ kind: 'balance', invokedAtMs: 60, answeredAtMs: 70, balanceMicros: 80_000 }),
      call({ kind: 'top_up', invokedAtMs: 80, answeredAtMs: 90, amount: 1 }),
      call({ kind: 'events', invokedAtMs: 91, answeredAtMs: 95, feed: ['job-0'], jobs: [JOB] }),
    ],
    deliveries: [
      { receiver: 'good', account: 0, atMs: 60, eventId: 'evt_0', job: JOB, type: 'job.succeeded', isSigned: true },
    ],
    faults: [],
    backendRuns: [{ task: 'task-0', tag: 'tag-0', atMs: 25 }],
    rest: {
      accounts: [
        {
          ...{ balanceMicros: 90_000, owedMicros: 0, status: 'active' },
          months: [
            { openingMicros: 0, closingMicros: 80_000, chargedMicros: 0, reservedMicros: 20_000 },
            { openingMicros: 80_000, closingMicros: 90_000, chargedMicros: 20_000, reservedMicros: -20_000 },
          ],
          jobs: [JOB],
          feed: [{ eventId: 'evt_0', jobId: 'job-0', status: 'succeeded' }],
          deliveries: [{ jobId: 'job-0', writtenAtMs: 1_010 }],
          receipts: [{ jobId: 'job-0', outcome: 'succeeded', chargedMicros: 20_000 }],
          brokenFiles: [],
          files: ['outputs/job-0/0.png'],
        },
      ],
      payments: [],
      unsettled: [],
      files: ['outputs/job-0/0.png'],
      tookMs: 1,
    },
  };
}

/** Failed creations, each followed by a read of the balance. */
function longHistory(): History {
  const history = trueHistory();
  const account = history.rest.accounts[0] as History['rest']['accounts'][0];
  const { calls } = history;
  for (let id = 1; id <= MANY; id++) {
    const [jobId, tag, atMs] = [`job-${id}`, `tag-${id}`, id * 1_000];
    const job: SeenJob = { ...JOB, id: jobId, tag, status: 'failed', chargedMicros: 0, outputs: 0 };
    Object.assign(job, { createdAtMs: atMs, completedAtMs: atMs + 500 });
    const times = { invokedAtMs: atMs, answeredAtMs: atMs + 10 };
    calls.push(call({ kind: 'create', creation: { ...CREATION, key: `key-${id}`, tag }, jobs: [job], ...times }));
    calls.push(call({ kind: 'balance', invokedAtMs: atMs + 20, answeredAtMs: atMs + 30, balanceMicros: 90_000 }));
    account.jobs.push(job);
    account.feed.push({ eventId: `evt_${id}`, jobId, status: 'failed' });
    account.receipts.push({ jobId, outcome: 'failed', chargedMicros: 0 });
  }
  return history;
}

function addFailedJob({ rest: { accounts } }: History): void {
  accounts[0]?.jobs.push({ ...JOB, id: 'job-1', status: 'failed', chargedMicros: 0, outputs: 0 });
  accounts[0]?.feed.push({ eventId: 'evt_1', jobId: 'job-1', status: 'failed' });
  accounts[0]?.receipts.push({ jobId: 'job-1', outcome: 'failed', chargedMicros: 0 });
}

function changeJob({ rest: { accounts } }: History, changes: Partial<SeenJob>): void {
  Object.assign(accounts[0] ?? {}, { jobs: [{ ...JOB, ...changes }] });
}

const REFUSALS: [status: number, code: string][] = [
  [402, 'insufficient_balance'],
  [429, 'concurrency_limit'],
  [403, 'account_paused'],
  [403, 'account_suspended'],
  [409, 'idempotency_conflict'],
];

/** What makes the history false, and the only rules that reject it then. */
const FALSEHOODS: [rules: string[], falsify: (history: History) => void][] = [
  [['an answer is one that the operation allows'], ({ calls }) => calls.push(call({ kind: 'list', status: 500 }))],
  [['an answer is one that the operation allows'], ({ calls }) => calls.push(call({ kind: 'key', status: 200 }))],
  [
    ['an answer is described by the reference'],
    ({ calls }) => calls.push(call({ kind: 'list', differences: ['new'] })),
  ],
  ...REFUSALS.map(([status, code]): [string[], (history: History) => void] => [
    ['a refusal for money, slots, keys or strikes has its reason'],
    ({ calls }) => calls.push(call({ kind: 'create', creation: CREATION, status, code })),
  ]),
  [['one key makes one job, of the first body'], addFailedJob],
  [
    ['a state goes forward for every reader'],
    ({ calls }) => calls.push(call({ invokedAtMs: 100, answeredAtMs: 110, jobs: [QUEUED] })),
  ],
  [
    ['a job has one end'],
    ({ calls }) => calls.push(call({ invokedAtMs: 100, answeredAtMs: 110, jobs: [{ ...JOB, status: 'failed' }] })),
  ],
  [
    ['money is conserved', MONTHS],
    ({ rest: { accounts } }) => Object.assign(accounts[0] ?? {}, { balanceMicros: 90_001 }),
  ],
  ...[{ openingMicros: 70_000 }, { chargedMicros: 0 }, { reservedMicros: 0 }].map(
    (change): [string[], (history: History) => void] => [
      [MONTHS],
      ({ rest: { accounts } }) => Object.assign(accounts[0]?.months[1] ?? {}, change),
    ],
  ),
  [
    ['a balance stays within what was paid and asked for'],
    ({ calls }) => calls.push(call({ kind: 'balance', invokedAtMs: 96, answeredAtMs: 99, balanceMicros: -1 })),
  ],
  [
    ['a job has one event, signed, of its end'],
    ({ deliveries: [delivery] }) => Object.assign(delivery ?? {}, { isSigned: false }),
  ],
  [
    ['a job has one event, signed, of its end'],
    ({ deliveries: [delivery] }) => Object.assign(delivery ?? {}, { eventId: 'evt_1' }),
  ],
  [
    ['a webhook is written soon after the end of its job, unless a fault delays it'],
    ({ rest: { accounts } }) => Object.assign(accounts[0]?.deliveries[0] ?? {}, { writtenAtMs: 11_000 }),
  ],
  [
    ['a receipt verifies and states the end'],
    ({ rest: { accounts } }) => Object.assign(accounts[0]?.receipts[0] ?? {}, { outcome: null }),
  ],
  [
    ['a backend runs a job at most as often as it may'],
    ({ backendRuns }) => {
      for (let task = 1; task < 8; task++) backendRuns.push({ task: `task-${task}`, tag: 'tag-0', atMs: 26 });
    },
  ],
  [
    ['a request without a key makes at most one job, with all its repeats'],
    (history) => {
      const [first, second] = history.calls;
      const creation = { ...CREATION, key: null };
      Object.assign(first ?? {}, { creation, answeredAtMs: 10, status: 503 });
      Object.assign(second ?? {}, { creation: { ...creation, isMarked: true } });
      addFailedJob(history);
    },
  ],
  [
    ['money is conserved', 'a payment is credited, given back and disputed as the provider says'],
    ({ rest: { payments } }) =>
      payments.push({
        ...{ operation: 9, account: 0, card: 'succeeds', amountMicros: 5_000_000 },
        ...{ isPaid: true, state: 'open', refundedMicros: 0, returnedMicros: 0, dispute: null },
      }),
  ],
  [
    ['money is conserved', 'an account that owes money is not active'],
    ({ rest: { accounts } }) => Object.assign(accounts[0] ?? {}, { owedMicros: 10 }),
  ],
  [
    ['a file in the store is one that a job shows, unless a fault or a lost answer has left it to the sweep'],
    (history) => {
      history.calls.shift();
      history.rest.files.push('inputs/0.png');
    },
  ],
  [
    ['an answer shows the job of its own request'],
    ({ calls }) => {
      const creation = { ...CREATION, tag: 'tag-1', key: 'key-1' };
      calls.push(call({ kind: 'create', creation, invokedAtMs: 100, answeredAtMs: 110, jobs: [JOB] }));
    },
  ],
  [
    ['an accepted job exists'],
    ({ calls }) => calls.push(call({ invokedAtMs: 100, answeredAtMs: 110, jobs: [{ ...JOB, id: 'job-1' }] })),
  ],
  [
    ['a creation that was refused charges nothing'],
    ({ calls }) => {
      for (const { kind } of calls.splice(0, 2)) calls.push(call({ kind, creation: CREATION, status: 503 }));
    },
  ],
  [
    ['no account has more jobs at once than its limit'],
    ({ plan }) => Object.assign(plan.accounts[0] ?? {}, { maxConcurrentJobs: 0 }),
  ],
  [
    ['a job ends as its backend ended it'],
    ({ calls }) => {
      for (const one of calls) if (one.creation) one.creation = { ...CREATION, directive: '[[fail:error]]' };
    },
  ],
  [
    ['the feed has each ended job once, in one order'],
    ({ calls }) => calls.push(call({ kind: 'events', feed: ['job-1', 'job-0'] })),
  ],
  [
    ['every output can be downloaded whole, with its credentials'],
    ({ rest: { accounts } }) => accounts[0]?.brokenFiles.push('job-0'),
  ],
  [['no job is older than its deadline'], (history) => changeJob(history, { createdAtMs: -200_000 })],
  [['a job is charged if and only if it is delivered'], (history) => changeJob(history, { outputs: 0 })],
  [['everything comes to rest'], ({ rest }) => rest.unsettled.push('2 messages for billing')],
  [['everything comes to rest'], ({ rest }) => Object.assign(rest, { accounts: [], unsettled: ['no answer'] })],
];

describe('the checker', () => {
  it('accepts a true history, in which one answer was lost', () => {
    expect(findViolations(trueHistory())).toEqual([]);
  });

  it.each(FALSEHOODS)('rejects a false history by its own rule: %s', (rules, falsify) => {
    const history = trueHistory();
    falsify(history);
    expect([...new Set(findViolations(history).map(({ rule }) => rule))]).toEqual(rules);
  });

  it.each(REFUSALS)('accepts a refusal that has its reason: %s %s', (status, code) => {
    const history = trueHistory();
    for (let id = 0; id < 6; id++) {
      const creation: Creation = { ...CREATION, tag: `blocked-${id}`, directive: '[[output:blocked]]' };
      history.calls.push(call({ kind: 'create', creation, status: 503 }));
    }
    history.calls.push(call({ kind: 'pay', card: 'disputed' }));
    history.calls.push(call({ kind: 'create', creation: CREATION, invokedAtMs: 20, answeredAtMs: 30, status, code }));
    expect(findViolations(history)).toEqual([]);
  });

  it('takes seconds for a history of many calls', () => {
    const before = process.cpuUsage();
    expect(findViolations(longHistory())).toEqual([]);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
  });

  it('has no rule that rejects none of them', () => {
    expect(new Set(FALSEHOODS.flatMap(([rules]) => rules))).toEqual(new Set(Object.keys(RULES)));
  });
});

describe('a plan', () => {
  it('is decided by its seed, and differs in kind from others', () => {
    expect(drawPlan(7)).toEqual(drawPlan(7));
    const kinds = Array.from({ length: 20 }, (_, seed) =>
      [...new Set(drawPlan(seed).operations.map(({ kind }) => kind))].sort().join(' '),
    );
    expect(new Set(kinds).size).toBeGreaterThan(12);
  });

  it('shrinks to the operations and faults that fail together', async () => {
    const plan = drawPlan(3);
    const [first, last] = [plan.operations[10], plan.operations.at(-1)] as [Operation, Operation];
    const needs = ({ operations }: Plan): boolean => operations.includes(first) && operations.includes(last);
    const small = await shrink(plan, (candidate) => Promise.resolve(needs(candidate)), 200);
    expect(small).toEqual(keepOnly(plan, [first.id, last.id], []));
  });
});
