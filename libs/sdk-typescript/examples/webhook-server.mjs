// A web server that takes webhooks and saves the images of succeeded jobs.
//   KINORA_BASE_URL=… KINORA_API_KEY=… WEBHOOK_SECRET=… PORT=3000 node webhook-server.mjs
import { createServer } from 'node:http';
import { Kinora, WebhookVerificationError } from '@kinora/client';

const { WEBHOOK_SECRET, PORT } = process.env;
const kinora = new Kinora();
// Deliveries may repeat. A real program keeps the ids in its database.
const handled = new Set();

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    // The bytes as received: JSON that was parsed and written again has another signature.
    const event = kinora.webhooks.unwrap(Buffer.concat(chunks), request.headers, WEBHOOK_SECRET);
    // Answered before the work: the service waits ten seconds at most.
    response.writeHead(204).end();
    if (handled.has(event.id)) return;
    handled.add(event.id);
    await handle(event);
  } catch (error) {
    if (!response.headersSent) response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
    console.error(`Refused: ${error.code ?? error.message}`);
  }
});

async function handle({ type, data: { object: job } }) {
  console.log(`${type} ${job.id}`);
  if (type !== 'job.succeeded') return;
  for (const { path } of await kinora.jobs.download(job.id, 'webhooks')) console.log(`saved ${path}`);
}

server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on ${server.address().port}.`));
