// `helm test`: the gateway answers, refuses a request without a key, and runs one job at the sandbox to its image and its money. The
// console serves its sign-in page, and in the customers' half no route of operators.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const {
  CONSOLE_URL: pages,
  GATEWAY_URL: gateway,
  PUBLIC_URL: publicUrl,
  KINORA_CLI: cli,
  NATS_URL: broker,
} = process.env;
const DEADLINE_MS = Date.now() + 120_000;

async function request(path, key, body) {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
  const response = await fetch(`${gateway}/v1${path}`, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** Polls until the answer satisfies a condition. */
async function until(path, key, isSo) {
  for (;;) {
    const { body } = await request(path, key);
    if (isSo(body)) return body;
    assert.ok(Date.now() < DEADLINE_MS, `GET ${path} stayed at ${JSON.stringify(body)}`);
    await delay(500);
  }
}

async function runJob() {
  const created = execFileSync(process.execPath, [
    cli,
    'account',
    'create',
    '--name',
    'helm test',
    '--balance-usd',
    '1',
    '--json',
  ]);
  const { api_key: key } = JSON.parse(created.toString());
  const before = (await request('/account', key)).body;
  const { status, body: job } = await request('/images/generations', key, { prompt: 'a calm sea under a clear sky' });
  assert.ok(status === 200 || status === 202, `the job was answered ${status}: ${JSON.stringify(job)}`);
  const ended = await until(`/jobs/${job.id}`, key, ({ completed_at }) => completed_at !== null);
  assert.equal(ended.status, 'succeeded', JSON.stringify(ended.error));

  const charged = ended.usage.charged_micros;
  assert.ok(charged > 0, 'the job cost nothing');
  const after = await until(
    '/account',
    key,
    ({ balance_micros }) => balance_micros === before.balance_micros - charged,
  );

  // This pod reaches the gateway by its Service only, and S3 not at all.
  const url = new URL(ended.output.images[0].url);
  const isOfGateway = url.origin === new URL(publicUrl).origin;
  const image = isOfGateway ? await fetch(gateway + url.pathname + url.search) : null;
  if (image) assert.equal(image.status, 200, `the image was answered ${image.status}`);
  const bytes = image ? (await image.arrayBuffer()).byteLength : 'stored';
  assert.notEqual(bytes, 0);
  return { job: ended.id, bytes, charged_micros: charged, balance_micros: after.balance_micros };
}

async function checkConsole() {
  const page = await fetch(pages);
  assert.equal(page.status, 200, `the console answered ${page.status}`);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.equal((await fetch(`${pages}/admin/v1/session`)).status, 200);
  assert.equal((await fetch(`${pages}/admin/v1/operator/session`)).status, 404);
}

assert.equal((await request('/ping')).status, 200);
assert.equal((await request('/account')).status, 401);
if (pages) await checkConsole();
console.log(JSON.stringify(broker ? await runJob() : { ping: 200, account_without_key: 401 }));
