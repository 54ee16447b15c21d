import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type CollectedSpan, HttpsReceiver, RECEIVER_AUTHORITY_FILE, TestCollector, waitFor } from '@kinora/testing';
import type { Job } from '@kinora/contracts/jobs/job';
import sharp from 'sharp';
import type { ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';
import { secretsInLogs } from '../support/secrets-in-logs';

/** The made-up words that clients put into prompts and URLs here; none of them may occur in telemetry. */
const WORDS = ['zeppelin', 'bathyscaphe', 'picturequery', 'loraquery', 'hookquery', 'hookpath', 'hookuser'];
/** Violates a constraint that the test adds to the table of jobs, so that PostgreSQL quotes the row in its error. */
const UNSTORABLE = 'an unstorable zeppelin';

describe('telemetry of the whole stack', () => {
  let stack: LocalStack;
  let receiver: HttpsReceiver;
  let collector: TestCollector;
  let client: ApiClient;
  let secrets: string[];
  let image: Buffer;

  beforeAll(async () => {
    [receiver, collector] = await Promise.all([HttpsReceiver.start(), TestCollector.start()]);
    stack = await LocalStack.start({
      env: {
        KINORA_EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
        NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OTEL_BSP_SCHEDULE_DELAY: '50',
        LOG_LEVEL: 'trace',
      },
    });
    const account = await openAccount(stack);
    client = account.client;
    image = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#c03020' } })
      .png()
      .toBuffer();
    secrets = [...WORDS, account.apiKey, account.webhookSecret, image.toString('base64', 32, 80)];
    receiver.answer = ({ method }, response) =>
      method === 'GET' ? response.writeHead(200, { 'content-type': 'image/png' }).end(image) : response.end();
  }, 120_000);

  afterAll(async () => {
    await stack.end();
    await Promise.all([receiver.close(), collector.close()]);
  });

  const hookUrl = (): string => `https://127.0.0.1:${receiver.port}/hookpath?token=hookquery`;

  it('is one trace from the request of a client to the webhook', async () => {
    const [traceId, clientSpanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const headers = { traceparent: `00-${traceId}-${clientSpanId}-01` };
    const job = await client.generate({ prompt: 'a zeppelin', webhook_url: hookUrl() }, headers);
    const door = ['gateway POST /v1/images/generations', 'gateway jobs.v1.create', 'jobs jobs.v1.create'];
    const findAncestry = (service: string, name: string): string[] => {
      const spans = collector.ofTrace(traceId);
      const line: CollectedSpan[] = [];
      let span = spans.find((one) => one.service === service && one.name === name);
      for (; span; span = spans.find(({ spanId }) => spanId === line.at(-1)?.parentSpanId)) line.push(span);
      return line.map((one) => `${one.service} ${one.name}`).reverse();
    };
    /** From a span up to the client's request. A child span arrives before its parents, because it ends first. */
    const ancestryOf = (service: string, name: string): Promise<string[]> =>
      waitFor(() => {
        const line = findAncestry(service, name);
        return line[0] === door[0] && line;
      });

    expect(await ancestryOf('jobs', 'job_insert')).toEqual([...door, 'jobs set_statement', 'jobs job_insert']);
    const screening = [...door, 'jobs moderation.v1.screen_input', 'moderation moderation.v1.screen_input'];
    expect(await ancestryOf('moderation', 'moderation.v1.screen_input')).toEqual(screening);
    const reserving = [...door, 'jobs billing.v1.reserve', 'billing billing.v1.reserve'];
    expect(await ancestryOf('billing', 'billing.v1.reserve')).toEqual(reserving);
    expect((await ancestryOf('jobs', 'provider_request')).slice(0, -1)).toContain('jobs submit_attempt');
    expect(await ancestryOf('billing', 'billing.v1.capture')).toEqual(
      expect.arrayContaining(['jobs collect_outputs', 'jobs settle_job', 'jobs billing.v1.capture']),
    );
    expect(await ancestryOf('webhook-dispatcher', 'egress_request')).toEqual(
      expect.arrayContaining(['webhook-dispatcher jobs.v1.event.job_finished', 'webhook-dispatcher attempt_delivery']),
    );
    const [first] = collector.ofTrace(traceId).filter(({ parentSpanId }) => parentSpanId === clientSpanId);
    expect(first).toMatchObject({
      kind: 'server',
      attributes: { 'kinora.job_id': job.id, 'http.route': '/v1/images/generations' },
    });
    expect(receiver.requests.at(-1)?.headers).not.toHaveProperty('traceparent');
  });

  it('holds no text of clients, whatever error occurs', async () => {
    await refuseToStore(stack, UNSTORABLE);
    const fetched = `https://127.0.0.1:${receiver.port}/picture.png?key=picturequery`;
    const edit = await client.post<Job>('/images/edits', {
      prompt: 'a zeppelin',
      image: fetched,
      webhook_url: hookUrl(),
    });
    const inline = `data:image/png;base64,${image.toString('base64')}`;
    const jobs = [
      edit.body,
      (await client.post<Job>('/images/edits', { prompt: 'a zeppelin', image: inline })).body,
      await client.generate({ prompt: '[[fail:error]] a zeppelin', negative_prompt: 'a bathyscaphe' }),
      await client.generate({ prompt: '[[fail:corrupt]] a zeppelin' }),
      await client.generate({ prompt: '[[output:blocked]] a zeppelin' }),
    ];
    const refused = [
      { prompt: 'a zeppelin KINORA-MODERATION-TEST-BLOCK' },
      { prompt: 'a zeppelin', loras: [{ url: 'https://files.example.com/a.safetensors?key=loraquery', strength: 1 }] },
      { prompt: 'a zeppelin', webhook_url: hookUrl().replace('https://', 'https://hookuser:hookquery@') },
      { prompt: UNSTORABLE },
    ];
    const statuses = await Promise.all(
      refused.map(async (body) => (await client.post('/images/generations', body)).status),
    );
    expect(statuses).toEqual([422, expect.any(Number), 400, 500]);
    receiver.answer = (_, response) => response.writeHead(500).end();
    await Promise.all(jobs.map(({ id }) => client.ended(id)));
    await waitFor(() => receiver.requests.some(({ method }) => method === 'POST'));

    expect(await secretsInLogs(stack, secrets)).toEqual([]);
    await waitFor(() => collector.spans.some(({ name, service }) => name === 'settle_job' && service === 'jobs'));
    expect(secrets.filter((secret) => collector.bodies.some((body) => body.includes(secret)))).toEqual([]);
  });

  it('names the trace in each log line', async () => {
    const { id } = await client.generate({ prompt: 'a heron' });
    await client.ended(id);
    const line = await waitFor(() => findLine(stack, 'jobs', `"job_id":"${id}"`));
    const traceId = (JSON.parse(line) as { trace_id?: string }).trace_id ?? 'none';
    const access = await waitFor(() => findLine(stack, 'gateway', traceId));
    expect(JSON.parse(access)).toMatchObject({ msg: 'http_request', job_id: id, status: 202 });
  });

  it('affects no request while no collector accepts it', async () => {
    await collector.close();
    const { id } = await client.generate({ prompt: 'a heron' });
    expect(await client.ended(id)).toMatchObject({ status: 'succeeded' });
    await waitFor(() => findLine(stack, 'gateway', 'traces_lost'));
    expect((await client.get('/account')).status).toBe(200);
  });
});

async function findLine({ dataDir }: LocalStack, service: string, text: string): Promise<string | undefined> {
  const log = await readFile(path.join(dataDir, 'logs', `${service}.log`), 'utf8');
  return log.split('\n').find((line) => line.includes(text));
}

async function refuseToStore(stack: LocalStack, prompt: string): Promise<void> {
  const database = await stack.connect();
  await database.query(
    `ALTER TABLE jobs.job ADD CONSTRAINT of_this_test CHECK (input ->> 'prompt' <> '${prompt}') NOT VALID`,
  );
}
