import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ADMISSION, JOB, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import { expectError, SERVED_APIS, type TestResponse } from '../../test/http-client.fixtures';

const { client, contexts } = useGateway();

beforeEach(() => {
  contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
  contexts.on(jobsRpc.listOutputFiles, () => ({ files: [] }));
});

const ENDED: Job = { ...JOB, status: 'succeeded', output: { images: [] } };
const GENERATIONS = '/v1/images/generations';
const keyed = { 'Idempotency-Key': 'a-key' };

const post = (path: string, json: unknown, headers = {}): Promise<TestResponse> =>
  client.send('POST', path, { json, headers });

describe('a job that is created', () => {
  it('is answered 202 while it is in flight, with the job that jobs returns', async () => {
    const { status, headers, json } = await post(GENERATIONS, { prompt: 'a fox' });
    expect([status, json()]).toEqual([202, JOB]);
    expect(headers['idempotency-replayed']).toBeUndefined();
  });

  it.each(['succeeded', 'failed', 'canceled'] as const)('is answered 200 when it has already %s', async (status) => {
    contexts.on(jobsRpc.create, () => ({ job: { ...JOB, status }, replayed: false }));
    expect((await post(GENERATIONS, { prompt: 'a fox' })).status).toBe(200);
  });

  it('is requested from jobs with all sent fields, and nothing else', async () => {
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
        job_id: expect.any(String) as string,
        account_id: ADMISSION.account_id,
        api_key_id: ADMISSION.api_key_id,
        kind: 'image.generation',
        input,
        metadata,
        webhook_url,
        idempotency: {
          key: 'a-key',
          route: 'POST /images/generations',
          body_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        },
        request_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    ]);
  });

  it.each([
    ['content_blocked_prompt', 422, 'content_blocked'],
    ['insufficient_balance', 402, 'insufficient_balance'],
    ['concurrency_limit', 429, 'rate_limit_error'],
    ['model_unavailable', 404, 'not_found'],
    ['capacity', 503, 'capacity_error'],
  ] as const)('is refused with the error of jobs: %s', async (code, status, type) => {
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

describe.each(SERVED_APIS)('an account that is not active, at $path', (api) => {
  it.each(['paused', 'suspended', 'closed'] as const)(
    'creates nothing while it is %s, for any body',
    async (status) => {
      contexts.on(billingRpc.admit, () => ({ ...ADMISSION, account_status: status }));
      const refused = await post(`${api.path}/images/generations`, { wrong: true });
      expectError(api, refused, { status: 403, code: `account_${status}` });
      expect(refused.error.type).toBe('permission_error');
    },
  );
});

describe.each(SERVED_APIS)('a key with allowed models, at $path', (api) => {
  const generations = `${api.path}/images/generations`;

  beforeEach(() => contexts.on(billingRpc.admit, () => ({ ...ADMISSION, allowed_models: ['fast-image'] })));

  it.each([{ prompt: 'a', model: 'image-edit' }, { prompt: 'a' }, { wrong: true }])(
    'creates nothing with another model, also if the default model is another one: %j',
    async (json) => {
      expectError(api, await post(generations, json), { status: 403, code: 'model_not_allowed', param: 'model' });
      expect(contexts.of(jobsRpc.create)).toEqual([]);
    },
  );

  it('creates jobs with its models, and gets the usual error for an invalid body', async () => {
    contexts.on(jobsRpc.create, () => ({ job: ENDED, replayed: false }));
    expect((await post(generations, { prompt: 'a', model: 'fast-image' })).status).toBe(200);
    expect((await post(generations, { prompt: '', model: 'fast-image' })).status).toBe(400);
  });

  it('replays the job of an earlier Idempotency-Key', async () => {
    contexts.on(jobsRpc.findReplay, () => ({ job: ENDED }));
    expect((await post(generations, { prompt: 'a' }, keyed)).status).toBe(200);
  });
});

describe.each(SERVED_APIS)('an invalid body, at $path', (api) => {
  const generations = `${api.path}/images/generations`;

  it('gets an overlong field name back truncated', async () => {
    const { error } = await post(generations, { ['x'.repeat(100_000)]: 1 });
    expect(error.param).toHaveLength(200);
  });
});

describe('a field that is null', () => {
  it('was left out: it reaches no service', async () => {
    const loras = [{ id: 'a', url: null, strength: null }];
    const nulls = { model: null, n: null, seed: null, webhook_url: null, metadata: null };
    expect((await post(GENERATIONS, { prompt: 'a', loras, ...nulls })).status).toBe(202);
    const [{ input, ...common } = { input: {} }] = contexts.of(jobsRpc.create);
    expect(input).toEqual({ prompt: 'a', loras: [{ id: 'a' }] });
    expect(Object.keys(common)).not.toEqual(expect.arrayContaining(['webhook_url', 'metadata']));
    expect(Object.values(common)).not.toContain(null);
  });

  it.each([
    [{ prompt: null }, 'prompt', 'prompt is required.'],
    [{ prompt: 'a', promt: null }, 'promt', 'promt is not a known field.'],
    [
      { prompt: 'a', metadata: { k: null } },
      'metadata',
      expect.stringContaining('metadata must be an object') as string,
    ],
  ])('is refused where it is no optional field: %j', async (json, param, message) => {
    const { status, error } = await post(GENERATIONS, json);
    expect([status, error.param, error.message]).toEqual([400, param, message]);
  });
});
