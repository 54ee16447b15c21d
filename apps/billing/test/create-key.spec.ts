import { isWellFormedApiKey } from '@kinora/contracts/billing/api-key-format';
import { statement } from '@kinora/database';
import { useBilling, runConcurrently } from './billing.fixtures';
import { ListKeys } from '../src/use-cases/list-records.query';
import { RevokeKey } from '../src/use-cases/revoke-key.use-case';
import { CreateKey } from '../src/use-cases/create-key.use-case';

const billing = useBilling();

describe('API keys', () => {
  let account_id: string;

  beforeEach(async () => {
    ({ account_id } = await billing.createAccount());
  });

  it('are shown once and listed by their prefix, newest first', async () => {
    const request = { account_id, name: 'laptop', expires_at: '2100-01-01T00:00:00+01:00' };
    const { api_key, api_key_id, prefix } = await billing.createKey(request);
    expect(isWellFormedApiKey(api_key)).toBe(true);
    expect(prefix).toBe(api_key.slice(0, 12));
    const { data } = await billing.get(ListKeys).execute({ account_id });
    const created_at = expect.stringMatching(/Z$/);
    const expires_at = '2099-12-31T23:00:00.000Z';
    expect(data.map(({ name }) => name)).toEqual(['laptop', 'default']);
    expect(data[0]).toEqual({
      api_key_id,
      name: 'laptop',
      prefix,
      scope: 'jobs',
      allowed_models: null,
      cap_micros: null,
      cap_period: null,
      spent_in_period_micros: null,
      created_at,
      expires_at,
      revoked_at: null,
      last_used_at: null,
    });
  });

  it('have the scope that was given, and nothing else is one', async () => {
    const createKey = billing.get(CreateKey);
    const { api_key_id } = await createKey.execute({ account_id, name: 'reader', scope: 'read' });
    const { data } = await billing.get(ListKeys).execute({ account_id });
    expect(data.find((key) => key.api_key_id === api_key_id)).toMatchObject({ scope: 'read' });
    const unknown = createKey.execute({ account_id, name: 'x', scope: 'admin' as 'account' });
    await expect(unknown).rejects.toMatchObject({ code: 'invalid_body', param: 'scope' });
  });

  it('cannot be read from the database', async () => {
    const { api_key } = await billing.createKey({ account_id, name: 'laptop' });
    const rows = await billing.database.query(statement('spec_key_rows', 'SELECT api_key::text AS row FROM api_key'));
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).not.toContain(api_key.slice(12));
  });

  it('keep the time of their first revocation', async () => {
    const { api_key_id } = await billing.createKey({ account_id, name: 'laptop' });
    const revoked = await runConcurrently(20, () => billing.get(RevokeKey).execute({ api_key_id }));
    expect(new Set(revoked.map((key) => JSON.stringify(key))).size).toBe(1);
    expect(await billing.get(RevokeKey).execute({ api_key_id })).toEqual(revoked[0]);
    expect(revoked[0]).toMatchObject({ api_key_id, revoked_at: expect.stringMatching(/Z$/) });
  });

  it.each([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: ' \t\u00a0' }],
    ['expires_at', { name: 'laptop', expires_at: 'tomorrow' }],
    ['expires_at', { name: 'laptop', expires_at: '2100-13-01T00:00:00Z' }],
    ['expires_at', { name: 'laptop', expires_at: '2020-01-01T00:00:00Z' }],
    ['expires_at', { name: 'laptop', expires_at: 4_102_444_800 }],
  ])('are refused with a bad %s: %j', async (param, given) => {
    const request = { account_id, ...given } as Parameters<CreateKey['execute']>[0];
    await expect(billing.createKey(request)).rejects.toMatchObject({ code: 'invalid_body', param });
  });
});
