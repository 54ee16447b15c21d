import type { IssuedApiKey } from '@kinora/contracts/billing/account-key';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { selfServiceRpc } from '@kinora/contracts/billing/self-service.rpc';
import { ADMISSION, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';

const testBed = useGateway();
const { contexts } = testBed;
const ID = '0192f3a0-0000-7000-8000-0000000000aa';
const CALLER = { account_id: ADMISSION.account_id, api_key_id: ADMISSION.api_key_id };
const SECRET = '/v1/account/webhook-secret/rotate';
const ISSUED = { object: 'api_key', id: ID, name: 'worker', api_key: 'knr_live_secret' } as IssuedApiKey;

beforeEach(() => contexts.on(billingRpc.admit, () => ({ ...ADMISSION, scope: 'account' as const })));

const send = (method: string, path: string, json?: unknown) =>
  testBed.client.send(method, `/v1/account/keys${path}`, json === undefined ? {} : { json });

describe('keys of an account', () => {
  it.each([
    ['GET', '/v1/account/keys'],
    ['POST', '/v1/account/keys'],
    ['DELETE', `/v1/account/keys/${ID}`],
    ['POST', `/v1/account/keys/${ID}/rotate`],
    ['GET', '/v1/account/statement'],
    ['POST', SECRET],
  ])('are closed to the scope jobs, as are the others of the account: %s %s', async (method, path) => {
    contexts.on(billingRpc.admit, () => ADMISSION);
    const { status, error } = await testBed.client.send(method, path, method === 'POST' ? { json: {} } : {});
    expect([status, error.type, error.code]).toEqual([403, 'permission_error', 'scope_required']);
  });

  it('are listed by page', async () => {
    const page = { object: 'list' as const, data: [], has_more: false, next_cursor: null };
    contexts.on(selfServiceRpc.listKeys, () => page);
    expect((await send('GET', '')).json()).toEqual(page);
    await send('GET', `?limit=3&cursor=${ID}`);
    expect(contexts.of(selfServiceRpc.listKeys)).toEqual([
      { ...CALLER, limit: 20 },
      { ...CALLER, limit: 3, cursor: ID },
    ]);
    expect((await send('GET', '?limit=101')).error).toMatchObject({ code: 'invalid_query', param: 'limit' });
  });

  it('are created: 201, with the secret', async () => {
    contexts.on(selfServiceRpc.createKey, () => ISSUED);
    const input = { name: 'worker', scope: 'read', models: ['a'], budget_micros: 5, budget_period: 'day' };
    const response = await send('POST', '', input);
    expect([response.status, response.json()]).toEqual([201, ISSUED]);
    expect(contexts.of(selfServiceRpc.createKey)).toEqual([{ ...CALLER, input }]);
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: ' \t\u00a0' }, 'name'],
    [{ name: 'x', scope: 'admin' }, 'scope'],
    [{ name: 'x', models: [] }, 'models'],
    [{ name: 'x', models: ['a', 7] }, 'models[1]'],
    [{ name: 'x', budget_micros: 0 }, 'budget_micros'],
    [{ name: 'x', budget_period: 'year' }, 'budget_period'],
    [{ name: 'x', expires_at: 7 }, 'expires_at'],
    [{ name: 'x', id: ID }, 'id'],
  ])('are not created of %j', async (body, param) => {
    const { status, error } = await send('POST', '', body);
    expect([status, error.code, error.param]).toEqual([400, 'invalid_body', param]);
    expect(contexts.of(selfServiceRpc.createKey)).toEqual([]);
  });

  it('are revoked, without a body', async () => {
    contexts.on(selfServiceRpc.revokeKey, () => ({}));
    const response = await send('DELETE', `/${ID.toUpperCase()}`);
    expect([response.status, response.json()]).toEqual([200, { object: 'api_key', id: ID, deleted: true }]);
    expect(contexts.of(selfServiceRpc.revokeKey)).toEqual([{ ...CALLER, target_key_id: ID }]);
  });

  it('are 404 for a malformed id, like an unknown one', async () => {
    contexts.on(selfServiceRpc.revokeKey, fail('not_found', 'There is no such key.'));
    const [malformed, unknown] = [await send('DELETE', '/x'), await send('DELETE', `/${ID}`)];
    expect([malformed.status, malformed.error.message]).toEqual([404, unknown.error.message]);
  });

  it('answer the refusal of billing: the last key of the scope account is 400', async () => {
    contexts.on(selfServiceRpc.revokeKey, fail('last_account_key', 'No other key.'));
    const { status, error } = await send('DELETE', `/${ID}`);
    expect([status, error.type, error.code]).toEqual([400, 'invalid_request_error', 'last_account_key']);
  });

  it('are rotated: 200, with the new secret', async () => {
    contexts.on(selfServiceRpc.rotateKey, () => ISSUED);
    expect((await send('POST', `/${ID}/rotate`, { overlap_seconds: 604_800 })).json()).toEqual(ISSUED);
    expect((await send('POST', `/${ID}/rotate`, {})).status).toBe(200);
    const request = { ...CALLER, target_key_id: ID };
    expect(contexts.of(selfServiceRpc.rotateKey)).toEqual([
      { ...request, overlap_seconds: 604_800 },
      { ...request, overlap_seconds: 0 },
    ]);
    const { error } = await send('POST', `/${ID}/rotate`, { overlap_seconds: 604_801 });
    expect(error).toMatchObject({ code: 'invalid_body', param: 'overlap_seconds' });
  });

  it('are rotated without a body as with an empty object', async () => {
    contexts.on(selfServiceRpc.rotateKey, () => ISSUED);
    expect((await send('POST', `/${ID}/rotate`)).status).toBe(200);
    expect(contexts.of(selfServiceRpc.rotateKey)).toEqual([{ ...CALLER, target_key_id: ID, overlap_seconds: 0 }]);
    const typed = await testBed.client.send('POST', `/v1/account/keys/${ID}/rotate`, {
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(typed.error.code).toBe('invalid_content_type');
    expect((await send('POST', '')).error.code).toBe('invalid_content_type');
  });
});

describe('the statement and the webhook secret', () => {
  it('are a page of entries', async () => {
    const page = { object: 'list' as const, data: [], has_more: false, next_cursor: null };
    contexts.on(selfServiceRpc.listStatement, () => page);
    expect((await testBed.client.send('GET', '/v1/account/statement?limit=7&cursor=abc')).json()).toEqual(page);
    expect(contexts.of(selfServiceRpc.listStatement)).toEqual([{ ...CALLER, limit: 7, cursor: 'abc' }]);
  });

  it('are a secret that is answered alone', async () => {
    contexts.on(selfServiceRpc.rotateWebhookSecret, () => ({ webhook_secret: 'whsec_new' }));
    const response = await testBed.client.send('POST', SECRET, { json: { overlap_seconds: 60 } });
    expect([response.status, response.json()]).toEqual([200, { webhook_secret: 'whsec_new' }]);
    expect(contexts.of(selfServiceRpc.rotateWebhookSecret)).toEqual([{ ...CALLER, overlap_seconds: 60 }]);
    const { error } = await testBed.client.send('POST', SECRET, { json: { overlap_seconds: -1 } });
    expect(error).toMatchObject({ code: 'invalid_body', param: 'overlap_seconds' });
  });
});
