import { type Account } from '@kinora/contracts/billing/account';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Lora } from '@kinora/contracts/catalog/lora';
import type { Model } from '@kinora/contracts/catalog/model';
import { type Appeal, appealsRpc } from '@kinora/contracts/moderation/appeals.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Usage } from '@kinora/contracts/jobs/usage';
import type { List } from '@kinora/contracts/shared/page';
import { ADMISSION, JOB, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import type { TestResponse } from '../../test/http-client.fixtures';

const { account_id } = ADMISSION;
const { client, contexts } = useGateway();

describe('a job', () => {
  it('is returned as jobs sends it', async () => {
    contexts.on(jobsRpc.get, () => JOB);
    const { status, json } = await client.send('GET', `/v1/jobs/${JOB.id}`);
    expect([status, json()]).toEqual([200, JOB]);
    expect(contexts.of(jobsRpc.get)).toEqual([{ account_id, job_id: JOB.id }]);
  });

  it('is found by its id in upper case', async () => {
    contexts.on(jobsRpc.get, () => JOB);
    await client.send('GET', `/v1/jobs/${JOB.id.toUpperCase()}`);
    expect(contexts.of(jobsRpc.get)).toEqual([{ account_id, job_id: JOB.id }]);
  });

  it('is canceled without a body, and answered 200', async () => {
    contexts.on(jobsRpc.cancel, () => ({ ...JOB, status: 'canceled' as const }));
    const { status, json } = await client.send('POST', `/v1/jobs/${JOB.id}/cancel`);
    expect([status, json()]).toEqual([200, { ...JOB, status: 'canceled' }]);
    expect(contexts.of(jobsRpc.cancel)).toEqual([{ account_id, job_id: JOB.id }]);
  });

  it('has an appeal with a text of 1 to 500 characters', async () => {
    const appeal = { object: 'appeal', job_id: JOB.id, status: 'open' } as Appeal;
    contexts.on(appealsRpc.appeal, () => appeal);
    const send = (body: object) => client.send('POST', `/v1/jobs/${JOB.id}/appeal`, { json: body });

    const { status, json } = await send({ text: 'It is a statue.' });
    expect([status, json()]).toEqual([200, appeal]);
    expect(contexts.of(appealsRpc.appeal)).toEqual([{ account_id, job_id: JOB.id, text: 'It is a statue.' }]);
    for (const body of [{}, { text: '' }, { text: ' ' }, { text: 'x'.repeat(501) }, { text: 'a', image: 'b' }])
      expect([body, (await send(body)).status]).toEqual([body, 400]);
  });

  it.each(['x', '1', `${JOB.id}0`, JOB.id.replaceAll('-', ''), 'x'.repeat(5000), '..', '%00', '%2e%2e%2fmodels'])(
    'is not found by the invalid id %s, like by an unknown id',
    async (id) => {
      contexts.on(jobsRpc.get, fail('not_found', 'There is no such job.'));
      const unknown = await client.send('GET', `/v1/jobs/${JOB.id}`);
      const malformed = await client.send('GET', `/v1/jobs/${id}`);
      expect(malformed.status).toBe(404);
      expect({ ...malformed.error, request_id: '' }).toEqual({ ...unknown.error, request_id: '' });
      expect((await client.send('POST', `/v1/jobs/${id}/cancel`)).status).toBe(404);
    },
  );
});

describe('the list of jobs', () => {
  const list = (query = ''): Promise<TestResponse> => client.send('GET', `/v1/jobs${query}`);

  beforeEach(() => {
    contexts.on(jobsRpc.list, () => ({ object: 'list' as const, data: [JOB], has_more: false, next_cursor: null }));
  });

  it('is requested by page, cursor, status and model', async () => {
    expect((await list()).json()).toEqual({ object: 'list', data: [JOB], has_more: false, next_cursor: null });
    await list('?limit=100&cursor=abc&status=failed&model=');
    expect(contexts.of(jobsRpc.list)).toEqual([
      { account_id, limit: 20 },
      { account_id, limit: 100, cursor: 'abc', status: 'failed', model: '' },
    ]);
  });
});

describe('the usage', () => {
  const counters = {
    jobs: 3,
    succeeded: 1,
    failed: 0,
    canceled: 1,
    in_flight: 1,
    charged_micros: 40_000,
    charged_usd: 0.04,
    gpu_ms: 12,
  };
  const usage: Usage = {
    object: 'usage',
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-20T09:00:00.000Z',
    group_by: 'day',
    total: counters,
    data: [{ day: '2026-11-19', ...counters }],
    truncated: false,
  };
  const read = (query = ''): Promise<TestResponse> => client.send('GET', `/v1/usage${query}`);

  beforeEach(() => contexts.on(jobsRpc.getUsage, () => usage));

  it('is returned as jobs sends it, by day as a default', async () => {
    const { status, json } = await read();
    expect([status, json()]).toEqual([200, usage]);
    await read('?from=2026-11-01T00:00:00%2B02:00&to=2026-11-20&group_by=model');
    const longest = `2026-11-20T09:00:00.${'0'.repeat(20)}`;
    await read(`?to=${longest}&group_by=day`);
    expect(contexts.of(jobsRpc.getUsage)).toEqual([
      { account_id, group_by: 'day' },
      { account_id, group_by: 'model', from: '2026-11-01T00:00:00+02:00', to: '2026-11-20' },
      { account_id, group_by: 'day', to: longest },
    ]);
  });

  it('is refused with the error of jobs', async () => {
    contexts.on(jobsRpc.getUsage, fail('invalid_query', 'from must be before to.', { param: 'from' }));
    const { status, error } = await read('?from=2026-11-20&to=2026-11-20');
    expect([status, error.code, error.param]).toEqual([400, 'invalid_query', 'from']);
  });
});

describe('other resources of an account', () => {
  it('are its models, as catalog sends them', async () => {
    expect((await client.send('GET', '/v1/models')).json()).toEqual({ object: 'list', data: [] });
  });

  it('are no models of operations that jobs does not offer', async () => {
    const model = {
      object: 'model',
      label: '',
      description: null,
      capabilities: {},
      price: null,
      license: null,
    } as const;
    const data: Model[] = [
      { ...model, id: 'poster', type: 'image' },
      { ...model, id: 'clip', type: 'video' },
    ];
    contexts.on(catalogRpc.listModels, () => ({ object: 'list' as const, data }));
    contexts.on(jobsRpc.listUnoffered, () => ({ operations: ['video.generation' as const] }));
    const { data: listed } = (await client.send('GET', '/v1/models')).json<List<Model>>();
    expect(listed.map(({ id }) => id)).toEqual(['poster']);
  });

  it('are the LoRAs, of all models or of one', async () => {
    const lora: Lora = {
      id: 'woodcut',
      object: 'lora',
      compatible_models: ['general-image'],
      label: 'Woodcut',
      description: null,
      default_strength: 0.8,
      triggers: null,
      license: null,
    };
    const list = { object: 'list' as const, data: [lora], model: 'general-image', byo_urls: false };
    contexts.on(catalogRpc.listLoras, () => list);
    expect((await client.send('GET', '/v1/loras?model=general-image')).json()).toEqual(list);
    await client.send('GET', '/v1/loras');
    expect(contexts.of(catalogRpc.listLoras)).toEqual([{ model: 'general-image' }, {}]);
  });

  it.each([
    ['64', 'x'.repeat(64)],
    ['65', 'x'.repeat(65)],
    ['15,000', 'x'.repeat(15_000)],
  ])(
    'are no LoRAs of an unavailable model of %s characters: 400, although the code is otherwise a 404',
    async (_chars, model) => {
      const details = { param: 'model', type: 'invalid_request_error' } as const;
      contexts.on(catalogRpc.listLoras, fail('model_unavailable', 'The model is unknown or disabled.', details));
      const { status, error } = await client.send('GET', `/v1/loras?model=${model}`);
      expect([status, error]).toEqual([
        400,
        {
          ...details,
          code: 'model_unavailable',
          message: expect.anything() as string,
          request_id: expect.anything() as string,
        },
      ]);
    },
  );

  it('is the account itself, with the key of the request', async () => {
    const account = { object: 'account', id: account_id, balance_micros: 5 } as Account;
    contexts.on(billingRpc.getAccount, () => account);
    expect((await client.send('GET', '/v1/account')).json()).toEqual(account);
    expect(contexts.of(billingRpc.getAccount)).toEqual([{ account_id, api_key_id: ADMISSION.api_key_id }]);
  });
});
