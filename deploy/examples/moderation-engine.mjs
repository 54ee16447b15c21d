// A server of the contract between Kinora's gate and one's own classifier (`type: http` in moderation.yaml). It finds nothing
// wrong with anything but a word, and is there to be replaced: put a model where `judge` is.
// Run it: node moderation-engine.mjs [port]
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const port = Number(process.argv[2] ?? 9000);

function judge({ type, text }) {
  const isRisky = type === 'text' && /\bfrobnicated\b/i.test(text);
  const scores = { risk: isRisky ? 1 : 0 };
  return isRisky ? { verdict: 'blocked', reason: 'frobnicated', scores } : { verdict: 'passed', scores };
}

const server = createServer(async (request, response) => {
  try {
    const question = await json(request);
    const answer = { content_sha256: question.content_sha256, ...judge(question) };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  } catch {
    // Whatever is not a clear answer counts as not passed.
    response.writeHead(500).end();
  }
});

server.listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}/judge`));
