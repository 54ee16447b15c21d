import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Model } from '@kinora/contracts/catalog/model';
import type { Job } from '@kinora/contracts/jobs/job';
import { type OutputFile, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { type AnswerOutcome, unkeyedRequestsRpc } from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { ManualClock, waitFor } from '@kinora/testing';
import { ADMISSION, API_KEY, JOB, SENDING, UNKEYED, UNKNOWN_KEY, fail } from '../../test/contexts.fixtures';
import { GatewayTestBed, useGateway } from '../../test/gateway.fixtures';
import type { TestResponse } from '../../test/http-client.fixtures';
import type { OpenAiErrorBody } from './openai-error';

const GENERATIONS = '/openai/v1/images/generations';
const ENDED: Job = {
  ...JOB,
  status: 'succeeded',
  usage: { charged_micros: 40_000, charged_usd: 0.04, gpu_ms: 1 },
  completed_at: '2026-11-20T09:00:03.000Z',
  output: { images: ['one', 'two'].map((name) => ({ url: `http://gateway.test/files/${name}`, mime: 'image/png' })) },
} as Job;
const FAILED: Job = { ...JOB, status: 'failed', usage: { charged_micros: 0, charged_usd: 0, gpu_ms: null } };
const MODEL: Model = {
  ...{ id: 'general-image', object: 'model', type: 'image', label: 'l', description: null, price: null, license: null },
  capabilities: { t2i: true, sizes: ['1024x1024', '1216x832'] },
};

const clock = new ManualClock();
const testBed = useGateway({ KINORA_OPENAI_WAIT_SECONDS: '1' }, new GatewayTestBed(clock));
const { contexts } = testBed;
const contents = [randomBytes(200_000), randomBytes(70_001)];
const files: OutputFile[] = contents.map(({ length }, place) => ({
  ...{ object_key: `outputs/spec/${place}.png`, mime: 'image/png', bytes: length },
}));

beforeAll(async () => {
  for (const [place, bytes] of contents.entries())
    await testBed.gateway.objects.put(files[place]?.object_key ?? '', bytes, { mime: 'image/png' });
});
beforeEach(() => {
  contexts.on(catalogRpc.listModels, () => ({ object: 'list' as const, data: [MODEL] }));
  const named = { operation: 'image.generation', model: 'general-image' } as const;
  contexts.on(catalogRpc.listAliases, () => ({
    data: ['dall-e-3', 'gpt-image-*'].map((alias) => ({ alias, ...named })),
  }));
  sending += 1;
  contexts.on(unkeyedRequestsRpc.open, () => ({ ...SENDING, sending, idempotency_key: UNKEYED }));
  contexts.on(jobsRpc.create, () => ({ job: ENDED, replayed: false }));
  contexts.on(jobsRpc.get, () => ENDED);
  contexts.on(jobsRpc.listOutputFiles, () => ({ files }));
});

const post = (json: unknown, headers = {}, path = GENERATIONS): Promise<TestResponse> =>
  testBed.client.send('POST', path, { json, headers });
const errorOf = (response: TestResponse) => response.json<OpenAiErrorBody>().error;
/** A number for each test: the end of a request may be stored during the next one. */
let sending = 0;
/** What became of the request, as jobs was told. */
const closed = async (outcome: AnswerOutcome): Promise<void> => {
  const closing = await waitFor(() => contexts.of(unkeyedRequestsRpc.close).find((each) => each.sending === sending));
  expect(closing).toEqual({ id: SENDING.id, sending, outcome });
};

describe('images of the OpenAI-compatible API', () => {
  it('are answered in base64, with their true size and the job and its price in headers', async () => {
    const { status, headers, json, bytes } = await post({ prompt: 'a fox', n: 2, size: '1792x1024', quality: 'hd' });
    expect(status).toBe(200);
    expect(json()).toEqual({
      created: Date.parse('2026-11-20T09:00:03Z') / 1_000,
      size: '1024x1024',
      output_format: 'png',
      data: contents.map((content) => ({ b64_json: content.toString('base64') })),
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(bytes.length),
      'x-accel-buffering': 'no',
      'x-kinora-job-id': ENDED.id,
      'x-kinora-charged-usd': '0.04',
      'x-kinora-ignored': 'quality',
      'x-request-id': expect.stringMatching(/^req_/) as string,
      'ratelimit-limit': '60',
    });
  });

  it('are created by the use case of /v1, under the key that jobs gives the request', async () => {
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, price_group: 'resellers' }));
    await post({ prompt: 'a fox', model: 'dall-e-3', size: '1536x1024', user: 'u' });
    const { account_id } = ADMISSION;
    expect(contexts.of(unkeyedRequestsRpc.open)).toMatchObject([{ account_id, is_marked: false }]);
    expect(contexts.of(jobsRpc.create)).toEqual([
      {
        job_id: expect.any(String) as string,
        account_id: ADMISSION.account_id,
        api_key_id: ADMISSION.api_key_id,
        price_group: 'resellers',
        kind: 'image.generation',
        input: { prompt: 'a fox', model: 'general-image', size: '1216x832' },
        idempotency: {
          key: UNKEYED,
          route: 'POST /openai/images/generations',
          body_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        },
        request_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    ]);
    await closed('answered');
  });

  it('are recognised by the bytes of their body, not by its meaning', async () => {
    for (const body of [
      { prompt: 'a fox', n: 1 },
      { n: 1, prompt: 'a fox' },
      { prompt: 'a fox', n: 1 },
    ])
      await post(body);
    const [first, reordered, repeated] = contexts.of(unkeyedRequestsRpc.open).map(({ request_hash }) => request_hash);
    expect(repeated).toBe(first);
    expect(reordered).not.toBe(first);
  });

  it('are streamed as one completed event each', async () => {
    const { headers, bytes } = await post({ prompt: 'a fox', stream: true });
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const events = bytes
      .toString('utf8')
      .split('\n\n')
      .filter((text) => text !== '');
    expect(events).toHaveLength(2);
    for (const [place, event] of events.entries()) {
      const [name, data = ''] = event.split('\n');
      expect(name).toBe('event: image_generation.completed');
      expect(JSON.parse(data.replace('data: ', ''))).toMatchObject({
        type: 'image_generation.completed',
        b64_json: contents[place]?.toString('base64'),
        size: '1024x1024',
      });
    }
  });

  it('are waited for without a poll, and answered 504 after the longest wait, which leaves the request to its repeat', async () => {
    contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
    contexts.on(jobsRpc.get, () => JOB);
    const answer = post({ prompt: 'a fox' });
    await waitFor(() => testBed.gateway.waitingRequests() === 1);
    clock.advance(1_000);
    const late = await answer;
    expect([late.status, late.headers['x-should-retry'], late.headers['x-kinora-job-id']]).toEqual([
      504,
      'false',
      JOB.id,
    ]);
    expect(errorOf(late).code).toBe('job_in_flight');
    expect(contexts.of(jobsRpc.get)).toHaveLength(1);
    await closed('abandoned');
  });

  it('of a client that sends an Idempotency-Key are created under that key, and the request is not kept', async () => {
    await post({ prompt: 'a fox' }, { 'Idempotency-Key': 'mine' });
    expect(contexts.of(unkeyedRequestsRpc.open)).toEqual([]);
    expect(contexts.of(jobsRpc.create)[0]?.idempotency?.key).toBe('mine');
  });

  it('of a request that repeats another one are those of its job', async () => {
    contexts.on(jobsRpc.create, () => ({ job: ENDED, replayed: true }));
    const { status, headers } = await post({ prompt: 'a fox', response_format: 'url' });
    expect([status, headers['idempotency-replayed']]).toEqual([200, 'true']);
  });

  it('are left to the repeat when the client hangs up, and their job is not canceled', async () => {
    contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
    contexts.on(jobsRpc.get, () => JOB);
    const body = JSON.stringify({ prompt: 'a fox' });
    const headers = {
      Authorization: `Bearer ${API_KEY}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    };
    const options = { host: '127.0.0.1', port: testBed.gateway.port, method: 'POST', path: GENERATIONS, headers };
    const leaving = httpRequest({ ...options, agent: false }).on('error', () => undefined);
    leaving.end(body);
    await waitFor(() => contexts.of(jobsRpc.create).length > 0 || null);
    leaving.destroy();
    await closed('abandoned');
    expect(contexts.of(jobsRpc.cancel)).toEqual([]);
  });
});

describe('errors of the OpenAI-compatible API', () => {
  it.each([
    ['content_blocked_prompt', 400, 'moderation_blocked', undefined, 'answered'],
    ['insufficient_balance', 402, 'insufficient_balance', undefined, 'answered'],
    ['model_unavailable', 404, 'model_not_found', undefined, 'answered'],
    ['idempotency_conflict', 409, 'idempotency_conflict', 'false', 'answered'],
    ['concurrency_limit', 429, 'concurrency_limit', undefined, 'abandoned'],
    ['capacity', 503, 'capacity', undefined, 'abandoned'],
  ] as const)('translate %s', async (code, status, translated, shouldRetry, outcome) => {
    contexts.on(jobsRpc.create, fail(code, 'In plain English.', { param: 'prompt' }));
    const refused = await post({ prompt: 'a fox' });
    expect([refused.status, refused.headers['x-should-retry']]).toEqual([status, shouldRetry]);
    expect(refused.json()).toEqual({
      error: { message: 'In plain English.', type: expect.any(String) as string, param: 'prompt', code: translated },
    });
    expect(refused.headers['retry-after'] !== undefined).toBe(status === 429 || status === 503);
    await closed(outcome);
  });

  it.each([
    ['provider_error', 502, 'provider_error', 'false'],
    ['provider_timeout', 502, 'provider_timeout', 'false'],
    ['content_blocked_output', 400, 'moderation_blocked', undefined],
    ['capacity', 503, 'capacity', undefined],
  ] as const)(
    'tell that a job failed with %s, and a repeat is then a new request',
    async (code, status, translated, retry) => {
      contexts.on(jobsRpc.create, () => ({ job: { ...FAILED, error: { code, message: 'Why.' } }, replayed: false }));
      const failed = await post({ prompt: 'a fox' });
      expect([failed.status, errorOf(failed).code, failed.headers['x-should-retry']]).toEqual([
        status,
        translated,
        retry,
      ]);
      expect(failed.headers['x-kinora-charged-usd']).toBe('0');
      await closed('failed');
    },
  );

  it('have the shape of OpenAI for what admission refuses, and for unknown paths', async () => {
    const shape = { error: { message: expect.any(String) as string, type: expect.any(String) as string, param: null } };
    const unknown = await testBed.client.send('GET', '/openai/v1/nothing');
    expect([unknown.status, unknown.json()]).toMatchObject([404, shape]);
    const keyless = await testBed.client.sendBare('POST', GENERATIONS, { 'Content-Type': 'application/json' }, '{}');
    expect([keyless.status, keyless.json()]).toMatchObject([401, shape]);
    const typeless = await testBed.client.send('POST', GENERATIONS, { body: '{}' });
    expect([typeless.status, errorOf(typeless).code]).toEqual([400, 'invalid_content_type']);
    const misspelt = await post({ prompt: 'p', guidanse: 1 });
    expect([misspelt.status, errorOf(misspelt).param]).toEqual([400, 'guidanse']);
  });

  it('say that deleted images are gone', async () => {
    contexts.on(jobsRpc.listOutputFiles, () => ({
      files: [{ object_key: 'outputs/spec/9.png', mime: 'image/png', bytes: 9 }],
    }));
    expect((await post({ prompt: 'a fox' })).status).toBe(404);
    await closed('answered');
    const output = { images: [{ url: null, mime: 'image/png' }] } as Job['output'];
    contexts.on(jobsRpc.create, () => ({ job: { ...ENDED, output }, replayed: false }));
    contexts.on(jobsRpc.listOutputFiles, () => ({ files }));
    for (const stream of [false, true]) expect((await post({ prompt: 'a fox', stream })).status).toBe(404);
  });
});

describe('the key of the OpenAI-compatible API', () => {
  const list = (headers: Record<string, string>) => testBed.client.sendBare('GET', '/openai/v1/models', headers);

  it.each([
    ['Authorization', { Authorization: `Bearer ${API_KEY}` }, 200],
    ['api-key', { 'api-key': API_KEY }, 200],
    ['both, equal', { Authorization: `Bearer ${API_KEY}`, 'api-key': API_KEY }, 200],
    ['both, different', { Authorization: `Bearer ${API_KEY}`, 'api-key': UNKNOWN_KEY }, 401],
    ['a malformed api-key', { 'api-key': 'knr_live_short' }, 401],
    ['neither', {}, 401],
  ])('comes as %s', async (_, headers, status) => {
    expect((await list(headers)).status).toBe(status);
  });

  it('does not come as api-key to /v1', async () => {
    expect((await testBed.client.sendBare('GET', '/v1/models', { 'api-key': API_KEY })).status).toBe(401);
  });

  it('goes with headers and a version that change nothing', async () => {
    const headers = { 'OpenAI-Organization': 'o', 'OpenAI-Project': 'p', 'OpenAI-Beta': 'b' };
    expect((await testBed.client.send('GET', '/openai/v1/models?api-version=preview', { headers })).status).toBe(200);
  });
});

describe('models of the OpenAI-compatible API', () => {
  it('are the catalog and its aliases', async () => {
    const listed = await testBed.client.send('GET', '/openai/v1/models');
    const known = { object: 'model', created: 0, owned_by: 'kinora' };
    expect(listed.json()).toEqual({
      object: 'list',
      data: [
        { id: 'general-image', ...known },
        { id: 'dall-e-3', ...known },
      ],
    });
    for (const id of ['dall-e-3', 'gpt-image-2-2026-04-21'])
      expect((await testBed.client.send('GET', `/openai/v1/models/${id}`)).json()).toEqual({ id, ...known });
    const missing = await testBed.client.send('GET', '/openai/v1/models/none');
    expect([missing.status, errorOf(missing).code]).toEqual([404, 'model_not_found']);
  });
});
