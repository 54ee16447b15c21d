import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
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
  it('is found by its id in upper case', async () => {
    contexts.on(jobsRpc.get, () => JOB);
    await client.send('GET', `/v1/jobs/${JOB.id.toUpperCase()}`);
    expect(contexts.of(jobsRpc.get)).toEqual([{ account_id, job_id: JOB.id }]);
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
  it('is requested from and to a time of up to 40 characters, by day as a default', async () => {
    contexts.on(jobsRpc.getUsage, () => ({ object: 'usage' }) as Usage);
    const to = `2026-11-20T09:00:00.${'0'.repeat(20)}`;
    await client.send('GET', `/v1/usage?to=${to}`);
    expect(contexts.of(jobsRpc.getUsage)).toEqual([{ account_id, group_by: 'day', to }]);
  });
});

describe('the models of an account', () => {
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
});
