import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { KEY_SCOPES, type KeyScope } from '@kinora/contracts/billing/api-key-format';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ADMISSION, JOB } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import { SERVED_APIS, expectError } from '../../test/http-client.fixtures';
import { requiredScope } from './route-policy';

const testBed = useGateway();
const { contexts } = testBed;

beforeEach(() => {
  contexts.on(jobsRpc.cancel, () => JOB);
  contexts.on(jobsRpc.get, () => JOB);
});

const withScope = (scope: KeyScope): void =>
  contexts.on(billingRpc.admit, () => ({ ...ADMISSION, scope, rate: { ...ADMISSION.rate } }));
const send = (method: 'GET' | 'POST', path: string) => testBed.client.send(method, path);
const cancel = () => send('POST', `/v1/jobs/${JOB.id}/cancel`);

describe('the scope that a route needs', () => {
  it.each([
    ['GET', undefined, 'read'],
    ['HEAD', undefined, 'read'],
    ['POST', undefined, 'jobs'],
    ['DELETE', undefined, 'jobs'],
    ['PURGE', undefined, 'jobs'],
    ['GET', 'account', 'account'],
    ['POST', 'account', 'account'],
    ['POST', 'read', 'jobs'],
    ['GET', 'read', 'read'],
  ] as const)('of %s with the policy %s is %s', (method, scope, required) => {
    expect(requiredScope(method, scope === undefined ? {} : { scope })).toBe(required);
  });
});

describe.each(SERVED_APIS)('a key of the scope read, at $path', (api) => {
  const create = () => testBed.client.send('POST', `${api.path}/images/generations`, { json: { prompt: 'a fox' } });

  beforeEach(() => withScope('read'));

  it('reads', async () => {
    expect((await send('GET', `${api.path}/models`)).status).toBe(200);
  });

  it('creates nothing', async () => {
    const refused = await create();
    expectError(api, refused, { status: 403, code: 'scope_required' });
    expect(refused.error.type).toBe('permission_error');
    expect(contexts.of(jobsRpc.create)).toEqual([]);
  });

  it('is refused before its body is read, with the headers of its bucket', async () => {
    const refused = await testBed.client.send('POST', `${api.path}/images/generations`, { body: '{nonsense' });
    expectError(api, refused, { status: 403, code: 'scope_required' });
    expect(refused.headers['ratelimit-remaining']).toBe('59');
  });

  it('is limited by its rate first', async () => {
    contexts.on(billingRpc.admit, () => ({
      ...ADMISSION,
      scope: 'read' as const,
      rate: { allowed: false, limit: 60, remaining: 0, retry_after_seconds: 1 },
    }));
    expectError(api, await create(), { status: 429, code: 'rate_limited' });
  });
});

describe('a key of the scope read', () => {
  beforeEach(() => withScope('read'));

  it('reads jobs, and changes none', async () => {
    expect((await send('GET', `/v1/jobs/${JOB.id}`)).status).toBe(200);
    expect((await cancel()).error.code).toBe('scope_required');
    expect(contexts.of(jobsRpc.cancel)).toEqual([]);
  });
});

describe('a key of a greater scope', () => {
  it.each(KEY_SCOPES.filter((scope) => scope !== 'read'))('%s reads and changes jobs', async (scope) => {
    withScope(scope);
    expect((await send('GET', '/v1/models')).status).toBe(200);
    expect((await cancel()).status).toBe(200);
  });
});
