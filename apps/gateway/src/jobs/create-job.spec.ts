import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { TestBroker, createTestLog, startTestService } from '@kinora/testing';
import { TestClient, type TestResponse } from '../test-client';
import { ADMISSION, JOB, StandInController, TestContexts, fail } from '../test-contexts';
import { type TestGateway, startTestGateway } from '../test-gateway';
import { greyPng, toDataUri } from '../test-picture';

const contexts = new TestContexts();
const closing: (() => Promise<void>)[] = [];
let folder: string;
let gateway: TestGateway;
let client: TestClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kinora-create-'));
  closing.unshift(() => rm(folder, { recursive: true, force: true }));
  const broker = await TestBroker.start();
  closing.unshift(() => broker.close());
  const providers = [{ provide: TestContexts, useValue: contexts }];
  const services = await startTestService({
    name: 'contexts',
    natsUrl: broker.url,
    controllers: [StandInController],
    providers,
  });
  closing.unshift(() => services.close());
  const { logger } = createTestLog();
  gateway = await startTestGateway({ natsUrl: broker.url, objectStoreDir: folder, logger });
  closing.unshift(() => gateway.close());
  client = new TestClient(gateway.port);
});

afterAll(async () => {
  for (const close of closing) await close();
});

beforeEach(() => {
  contexts.reset();
  contexts.on(jobsRpc.findReplay, () => ({ job: null }));
  contexts.on(jobsRpc.quote, () => ({ price_micros: 1000 }));
  contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
});

const GENERATIONS = '/v1/images/generations';
const EDITS = '/v1/images/edits';
const PICTURE = greyPng(80, 64);

const post = (path: string, json: unknown, headers = {}): Promise<TestResponse> =>
  client.send('POST', path, { json, headers });
const edit = (fields: object, headers = {}): Promise<TestResponse> =>
  post(EDITS, { prompt: 'warmer', ...fields }, headers);
const keyed = { 'Idempotency-Key': 'a-key' };

async function storedInputs(): Promise<string[]> {
  return readdir(join(folder, 'inputs')).catch(() => []);
}

describe('a job that is created', () => {
  it('is answered 202 while it is in flight, as jobs tells it', async () => {
    const { status, headers, json } = await post(GENERATIONS, { prompt: 'a fox' });
    expect([status, json()]).toEqual([202, JOB]);
    expect(headers['idempotency-replayed']).toBeUndefined();
  });

  it.each(['succeeded', 'failed', 'canceled'] as const)('is answered 200 when it has already %s', async (status) => {
    contexts.on(jobsRpc.create, () => ({ job: { ...JOB, status }, replayed: false }));
    expect((await post(GENERATIONS, { prompt: 'a fox' })).status).toBe(200);
  });

  it('is asked of jobs with all that was sent, and nothing else', async () => {
    const input = {
      prompt: ' A fox\u0301\n🦊 ',
      negative_prompt: '',
      size: '512x512',
      n: 2,
      guidance: 7.5,
      loras: [{ id: 'woodcut' }],
    };
    const metadata = { constructor: 'kept', ключ: '' };
    const webhook_url = 'https://hooks.example/kinora?a=%20b';
    await post(GENERATIONS, { ...input, metadata, webhook_url }, keyed);
    expect(contexts.of(jobsRpc.create)).toEqual([
      {
        account_id: ADMISSION.account_id,
        kind: 'image.generation',
        input,
        metadata,
        webhook_url,
        idempotency: {
          key: 'a-key',
          route: 'POST /images/generations',
          body_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        },
      },
    ]);
  });

  it.each([
    ['content_blocked_prompt', 422, 'content_blocked'],
    ['insufficient_balance', 402, 'insufficient_balance'],
    ['concurrency_limit', 429, 'rate_limit_error'],
    ['model_unavailable', 404, 'not_found'],
    ['capacity', 503, 'capacity_error'],
  ] as const)('is refused as jobs refuses it: %s', async (code, status, type) => {
    contexts.on(jobsRpc.create, fail(code, 'In plain English.', { param: 'prompt' }));
    const refused = await post(GENERATIONS, { prompt: 'a fox' });
    expect(refused.status).toBe(status);
    expect(refused.error).toEqual({
      type,
      code,
      message: 'In plain English.',
      param: 'prompt',
      request_id: refused.headers['x-request-id'],
    });
    expect(refused.headers['retry-after']).toBe(status === 429 || status === 503 ? '1' : undefined);
  });
});

describe('an Idempotency-Key', () => {
  it('gives the job that it stands for, whatever has happened since', async () => {
    contexts.on(jobsRpc.findReplay, () => ({ job: JOB }));
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, account_status: 'closed' as const }));
    const { status, headers, json } = await edit({ image: 'https://gone.example/image.png' }, keyed);
    expect([status, headers['idempotency-replayed'], json()]).toEqual([200, 'true', JOB]);
    expect(contexts.of(jobsRpc.create)).toEqual([]);
  });

  it('gives the job also when another request with it was faster', async () => {
    contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: true }));
    const { status, headers } = await edit({ image: toDataUri(PICTURE) }, keyed);
    expect([status, headers['idempotency-replayed']]).toEqual([200, 'true']);
    expect(await storedInputs()).toEqual([]);
  });

  it('is refused with another body before that body is looked at', async () => {
    contexts.on(jobsRpc.findReplay, fail('idempotency_conflict', 'Another body.'));
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, account_status: 'closed' as const }));
    expect((await post(GENERATIONS, { wrong: true }, keyed)).status).toBe(409);
  });

  it.each([
    [{ 'Idempotency-Key': '' }],
    [{ 'Idempotency-Key': 'a b' }],
    [{ 'Idempotency-Key': 'é' }],
    [{ 'Idempotency-Key': 'k'.repeat(256) }],
    [{ 'Idempotency-Key': ['a', 'a'] }],
  ])('must be one header of 1 to 255 visible ASCII characters, not %j', async (headers) => {
    const { status, error } = await post(GENERATIONS, { wrong: true }, headers);
    expect([status, error.code, error.param]).toEqual([400, 'invalid_idempotency_key', 'Idempotency-Key']);
  });

  it.each(['k', 'k'.repeat(255), '!~"\\'])('may be %s', async (key) => {
    expect((await post(GENERATIONS, { prompt: 'a fox' }, { 'Idempotency-Key': key })).status).toBe(202);
    expect(contexts.of(jobsRpc.findReplay)[0]?.idempotency.key).toBe(key);
  });

  it('stands for what a body says, not for how it is written, and for the route', async () => {
    const hashOf = async (path: string, body: string): Promise<string> => {
      contexts.asked = [];
      await client.send('POST', path, { headers: { ...keyed, 'Content-Type': 'application/json' }, body });
      const { route, body_sha256 } = contexts.of(jobsRpc.findReplay)[0]?.idempotency ?? {};
      return `${route} ${body_sha256}`;
    };
    const one = await hashOf(GENERATIONS, '{"prompt":"a","n":1,"metadata":{"a":"1","b":"2"}}');
    const same = await hashOf(GENERATIONS, ' { "metadata": {"b":"2", "a":"\\u0031"}, "n": 1.0, "prompt":"a" } ');
    const others = [
      await hashOf(GENERATIONS, '{"prompt":"a","n":2,"metadata":{"a":"1","b":"2"}}'),
      await hashOf(GENERATIONS, '{"prompt":"a","n":1,"metadata":{"a":"2","b":"1"}}'),
      await hashOf(GENERATIONS, '{"prompt":"a","metadata":{"a":"1","b":"2"}}'),
      await hashOf(EDITS, '{"prompt":"a","n":1,"metadata":{"a":"1","b":"2"}}'),
    ];
    expect(same).toBe(one);
    expect(new Set([one, ...others]).size).toBe(5);
  });
});

describe('an account that is not active', () => {
  it.each(['paused', 'suspended', 'closed'] as const)(
    'creates nothing while it is %s, whatever the body',
    async (status) => {
      contexts.on(billingRpc.admit, () => ({ ...ADMISSION, account_status: status }));
      const { status: answered, error } = await post(GENERATIONS, { wrong: true });
      expect([answered, error.type, error.code]).toEqual([403, 'permission_error', `account_${status}`]);
    },
  );
});

describe('a body that is wrong', () => {
  it.each<[unknown, string | undefined]>([
    [[], undefined],
    ['text', undefined],
    [null, undefined],
    [{}, 'prompt'],
    [{ prompt: 'a', model: null }, 'model'],
    [{ prompt: 'a', promt: 'b' }, 'promt'],
    [{ prompt: 'a', metadata: { k: 1 } }, 'metadata'],
    [{ prompt: 'a', loras: [{ id: 'a' }, { id: 'b', strength: 2 }] }, 'loras[1].strength'],
    [{ prompt: 'a', loras: [{ strength: 1 }] }, 'loras[0]'],
    [{ prompt: 'a', loras: [{ id: 'a', url: 'https://x.example/a.safetensors' }] }, 'loras[0]'],
    [{ prompt: 'a', loras: [{ url: 'https://x.example/a.ckpt' }] }, 'loras[0].url'],
    [{ prompt: 'a', loras: [{ url: 'https://10.0.0.1/a.safetensors' }] }, 'loras[0].url'],
    [{ prompt: 'a', webhook_url: 'http://hooks.example/' }, 'webhook_url'],
    [{ prompt: 'a', webhook_url: 'https://localhost/' }, 'webhook_url'],
    [{ prompt: 'a', webhook_url: 'https://[::1]:8443/' }, 'webhook_url'],
  ])('is refused with the field that offends: %j', async (json, param) => {
    const { status, error } = await post(GENERATIONS, json);
    expect([status, error.type, error.code, error.param]).toEqual([
      400,
      'invalid_request_error',
      'invalid_body',
      param,
    ]);
    expect(contexts.of(jobsRpc.create)).toEqual([]);
  });

  it('does not get a name of any length back', async () => {
    const { error } = await post(GENERATIONS, { ['x'.repeat(100_000)]: 1 });
    expect(error.param).toHaveLength(200);
  });
});

describe('an image edit', () => {
  it('puts the images into the store as they came, and tells jobs what they are', async () => {
    const second = greyPng(64, 200);
    const { status } = await edit({ image: toDataUri(PICTURE, 'image/webp'), images: [toDataUri(second)] });
    expect(status).toBe(202);
    const [request] = contexts.of(jobsRpc.create);
    if (request?.kind !== 'image.edit') throw new Error('jobs was not asked for an edit');
    expect(request.input).toEqual({ prompt: 'warmer' });
    expect(request.images).toMatchObject([
      {
        width: 80,
        height: 64,
        mime: 'image/png',
        object_key: expect.stringMatching(/^inputs\/[0-9a-f-]{36}\.png$/) as string,
      },
      { width: 64, height: 200, mime: 'image/png' },
    ]);
    const stored = await Promise.all(request.images.map(({ object_key }) => gateway.objects.get(object_key)));
    expect(stored).toEqual([PICTURE, second]);
    await Promise.all(request.images.map(({ object_key }) => gateway.objects.delete(object_key)));
  });

  it('takes the largest image, three times', async () => {
    const largest = greyPng(64, 64, 10 * 1024 * 1024 - greyPng(64, 64).length);
    const { status } = await edit({ images: [largest, largest, largest].map((bytes) => toDataUri(bytes)) }, keyed);
    expect(status).toBe(202);
    const [request] = contexts.of(jobsRpc.create);
    if (request?.kind !== 'image.edit') throw new Error('jobs was not asked for an edit');
    for (const { object_key } of request.images) {
      expect((await gateway.objects.get(object_key)).equals(largest)).toBe(true);
      await gateway.objects.delete(object_key);
    }
  });

  it.each<[object, string]>([
    [{}, 'image'],
    [{ images: [] }, 'images'],
    [{ image: '' }, 'image'],
    [{ image: 'a', images: ['b', 'c', 'd'] }, 'images'],
    [{ image: 'not a URI' }, 'image'],
    [{ image: 'data:image/png;base64,AAAA' }, 'image'],
    [{ image: 'data:text/html;base64,AAAA' }, 'image'],
    [{ image: `${toDataUri(PICTURE)}!` }, 'image'],
    [{ image: toDataUri(greyPng(63, 64)) }, 'image'],
    [{ image: toDataUri(greyPng(64, 4097)) }, 'image'],
    [{ image: toDataUri(PICTURE.subarray(0, -30)) }, 'image'],
    [{ image: toDataUri(PICTURE), images: [toDataUri(PICTURE), 'x'] }, 'images[1]'],
    [{ images: [toDataUri(PICTURE), 7] }, 'images[1]'],
    [{ image: 'https://example.com/image.png' }, 'image'],
  ])('is refused with the image that offends', async (fields, param) => {
    const { status, error } = await edit(fields);
    expect([status, error.code, error.param]).toEqual([400, 'invalid_body', param]);
    expect(await storedInputs()).toEqual([]);
  });

  it('asks whether the model would take it before an image is decoded', async () => {
    contexts.on(jobsRpc.quote, fail('model_unavailable', 'No such model.', { param: 'model' }));
    const { status, error } = await edit({ model: 'nothing', image: 'broken', images: ['broken'] });
    expect([status, error.code, error.param]).toEqual([404, 'model_unavailable', 'model']);
    expect(contexts.of(jobsRpc.quote)).toEqual([
      { kind: 'image.edit', input: { prompt: 'warmer', model: 'nothing' }, image_count: 2 },
    ]);
  });

  it('leaves no image behind when it is refused', async () => {
    contexts.on(jobsRpc.create, fail('content_blocked_input', 'Blocked.', { param: 'image' }));
    expect((await edit({ image: toDataUri(PICTURE) })).status).toBe(422);
    expect(await storedInputs()).toEqual([]);
  });

  it('keeps its images when nobody knows whether it was accepted', async () => {
    contexts.on(jobsRpc.create, fail('capacity', 'Away.'));
    expect((await edit({ image: toDataUri(PICTURE) })).status).toBe(503);
    const [left] = await storedInputs();
    expect(left).toMatch(/\.png$/);
    await gateway.objects.delete(`inputs/${left}`);
  });
});
