import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import type { CreatedAccount } from '@kinora/contracts/billing/billing-admin.rpc';
import { statement } from '@kinora/database';
import { useBilling, runConcurrently, sha256 } from './billing.fixtures';
import { BillingConfig } from '../src/billing.config';
import { LastUseRecorder } from '../src/api-key/last-use-recorder';
import { ListRecords } from '../src/use-cases/list-records.query';
import { RevokeKey } from '../src/use-cases/revoke-key.use-case';
import { Admit } from '../src/use-cases/admit.use-case';
import { ChangeAccount } from '../src/use-cases/change-account.use-case';

const NOW = '2026-11-14T12:00:00.000Z';
const billing = useBilling({}, { now: NOW });

const EXPIRE_KEYS = statement(
  'spec_expire_keys',
  `UPDATE api_key SET expires_at = clock_timestamp() WHERE expires_at IS NOT NULL`,
);

describe('admit', () => {
  const admit = (key: string, tokens: 0 | 1 = 1): Promise<Admission> =>
    billing.get(Admit).execute({ key_sha256: sha256(key), tokens });
  const open = (rate_limit_rpm: number): Promise<CreatedAccount> => billing.createAccount({ rate_limit_rpm });
  const openWithKeyUntil = async (expires_at: Date): Promise<string> => {
    const { account_id } = await open(60);
    const request = { account_id, name: 'passing', expires_at: expires_at.toISOString() };
    return (await billing.createKey(request)).api_key;
  };
  const refused = { code: 'invalid_api_key', message: 'The API key is not valid.', status: 401 };

  it('describes a bucket without taking from it', async () => {
    const { api_key } = await open(3);
    const untouched = { rate: { allowed: true, limit: 3, remaining: 3 } };
    expect(await admit(api_key, 0)).toMatchObject(untouched);
    expect(await admit(api_key, 0)).toMatchObject(untouched);
    await admit(api_key);
    expect(await admit(api_key, 0)).toMatchObject({ rate: { allowed: true, limit: 3, remaining: 2 } });
  });

  it('returns the account of the key, and the rest of its rate limit', async () => {
    const { account_id, api_key_id, api_key } = await open(3);
    const admission = { account_id, api_key_id, account_status: 'active', scope: 'jobs' };
    expect(await admit(api_key)).toEqual({ ...admission, rate: { allowed: true, limit: 3, remaining: 2 } });
    expect(await admit(api_key)).toMatchObject({ rate: { allowed: true, remaining: 1 } });
    expect(await admit(api_key)).toMatchObject({ rate: { allowed: true, remaining: 0 } });
    const rate = { allowed: false, limit: 3, remaining: 0, retry_after_seconds: 20 };
    expect(await admit(api_key)).toEqual({ ...admission, rate });
  });

  it('returns the scope of the key', async () => {
    const { account_id } = await open(60);
    const { api_key } = await billing.createKey({ account_id, name: 'reader', scope: 'read' });
    expect(await admit(api_key)).toMatchObject({ scope: 'read' });
    const { api_key: first } = await billing.createAccount({ key_scope: 'account' });
    expect(await admit(first)).toMatchObject({ scope: 'account' });
  });

  it('admits keys of both peppers during a rotation, and the rehashed ones after it', async () => {
    const [former, next] = ['the former pepper, of 32 characters', 'the next pepper, of 32 characters, too'];
    const config = billing.get(BillingConfig);
    const { keyPepper } = config;
    const usePeppers = (first: string, second = '') =>
      Object.assign(config, { keyPepper: first, keyPepperAccepted: second });
    try {
      usePeppers(former);
      const [used, unused] = [await open(6), await open(60)];
      usePeppers(next);
      await expect(admit(used.api_key)).rejects.toMatchObject(refused);

      usePeppers(former, next);
      expect(await admit(used.api_key)).toMatchObject({ api_key_id: used.api_key_id });
      usePeppers(next, former);
      const younger = await open(60);
      expect(await admit(used.api_key)).toMatchObject({ rate: { remaining: 4 } });
      // Like a process that has not been restarted yet.
      usePeppers(former, next);
      expect(await admit(younger.api_key)).toMatchObject({ api_key_id: younger.api_key_id });
      expect(await admit(used.api_key)).toMatchObject({ rate: { remaining: 3 } });
      usePeppers(next, former);
      const all = await Promise.all([admit(used.api_key), admit(used.api_key), admit(younger.api_key)]);
      expect(all.map(({ account_id }) => account_id)).toEqual(
        [used, used, younger].map(({ account_id }) => account_id),
      );

      usePeppers(next);
      expect(await admit(used.api_key)).toMatchObject({ api_key_id: used.api_key_id });
      expect(await admit(younger.api_key)).toMatchObject({ api_key_id: younger.api_key_id });
      await expect(admit(unused.api_key)).rejects.toMatchObject(refused);
    } finally {
      usePeppers(keyPepper);
    }
  });

  it('admits a key of an account that may not create jobs, and returns its status', async () => {
    const { account_id, api_key } = await open(60);
    await billing.setStatus({ account_id, status: 'suspended' });
    expect(await admit(api_key)).toMatchObject({ account_status: 'suspended', rate: { allowed: true } });
  });

  it('returns the allowed models of a key that has them', async () => {
    const { account_id, api_key } = await open(60);
    const bound = { account_id, name: 'bound', allowed_models: ['fast-image', 'general-image'] };
    const { api_key: boundKey } = await billing.createKey(bound);
    expect((await admit(boundKey)).allowed_models).toEqual(bound.allowed_models);
    expect(await admit(api_key)).not.toHaveProperty('allowed_models');
  });

  it('returns the price group of an account until the account pays the price list again', async () => {
    const { account_id, api_key } = await open(60);
    const setPriceGroup = (price_group: string | null) =>
      billing.get(ChangeAccount).setPriceGroup({ account_id, price_group });
    expect(await admit(api_key)).not.toHaveProperty('price_group');
    expect(await setPriceGroup('resellers')).toMatchObject({ price_group: 'resellers' });
    expect((await admit(api_key)).price_group).toBe('resellers');
    await setPriceGroup(null);
    expect(await admit(api_key)).not.toHaveProperty('price_group');
    expect((await billing.actionsOf(account_id)).slice(0, 2)).toMatchObject([
      { action: 'set_price_group', details: { price_group: null } },
      { action: 'set_price_group', details: { price_group: 'resellers' } },
    ]);
    await expect(setPriceGroup('no group')).rejects.toMatchObject({ code: 'invalid_body', param: 'price_group' });
  });

  it('gives exactly the tokens of a full bucket to concurrent requests', async () => {
    const { api_key } = await open(60);
    const rates = (await runConcurrently(300, () => admit(api_key))).map((admission) => (admission as Admission).rate);
    expect(rates.filter(({ allowed }) => allowed)).toHaveLength(60);
    expect(rates.filter(({ allowed, retry_after_seconds }) => !allowed && retry_after_seconds !== 1)).toEqual([]);
  });

  it('works with the largest possible limit', async () => {
    const { api_key } = await open(Number.MAX_SAFE_INTEGER);
    expect((await admit(api_key)).rate).toMatchObject({ allowed: true, limit: Number.MAX_SAFE_INTEGER });
  });

  it.each([7, 11, 13])('gives exactly %i tokens, although that does not divide a minute', async (rpm) => {
    const { api_key } = await open(rpm);
    const admissions = (await runConcurrently(2 * rpm, () => admit(api_key))) as Admission[];
    expect(admissions.filter(({ rate }) => rate.allowed)).toHaveLength(rpm);
  });

  it('gives no more than a full bucket after a long pause', async () => {
    const { api_key, api_key_id } = await open(5);
    await admit(api_key);
    const rest = `UPDATE rate_bucket SET full_at = full_at - interval '1 day' WHERE api_key_id = $1`;
    await billing.database.execute(statement('spec_rest', rest), [api_key_id]);
    const admissions = (await runConcurrently(20, () => admit(api_key))) as Admission[];
    expect(admissions.filter(({ rate }) => rate.allowed)).toHaveLength(5);
  });

  it('refills continuously', async () => {
    const { api_key } = await open(600);
    await runConcurrently(600, () => admit(api_key));
    expect((await admit(api_key)).rate.allowed).toBe(false);
    // One token refills in a tenth of a second.
    await billing.setNow('2026-11-14T12:00:00.099Z');
    expect((await admit(api_key)).rate.allowed).toBe(false);
    await billing.setNow('2026-11-14T12:00:00.100Z');
    expect((await admit(api_key)).rate).toMatchObject({ allowed: true, remaining: 0 });
    await billing.setNow(NOW);
  });

  it('applies a changed limit at once, and keeps the used share of the bucket', async () => {
    const { account_id, api_key } = await open(2);
    await admit(api_key);
    await billing.setLimits({ account_id, rate_limit_rpm: 1_000 });
    expect((await admit(api_key)).rate).toEqual({ allowed: true, limit: 1_000, remaining: 499 });
    await billing.setLimits({ account_id, rate_limit_rpm: 1 });
    expect((await admit(api_key)).rate).toMatchObject({ allowed: false, limit: 1 });
  });

  it('keeps a bucket for each key', async () => {
    const { account_id, api_key } = await open(1);
    const other = await billing.createKey({ account_id, name: 'other' });
    await admit(api_key);
    expect((await admit(api_key)).rate.allowed).toBe(false);
    expect((await admit(other.api_key)).rate.allowed).toBe(true);
  });

  it('has full buckets again after PostgreSQL crashed and emptied them', async () => {
    const { api_key } = await open(1);
    await admit(api_key);
    await billing.database.execute(statement('spec_empty', 'TRUNCATE rate_bucket'));
    expect((await admit(api_key)).rate.allowed).toBe(true);
  });

  it('refuses an unknown and a revoked key with the same message', async () => {
    const { api_key, api_key_id } = await open(60);
    await billing.get(RevokeKey).execute({ api_key_id });
    await expect(admit('knr_live_nobody')).rejects.toMatchObject(refused);
    await expect(admit(api_key)).rejects.toMatchObject(refused);
  });

  it('admits a key until it expires, and then refuses it with that message', async () => {
    const key = await openWithKeyUntil(new Date(Date.now() + 60_000));
    expect(await admit(key)).toMatchObject({ account_status: 'active' });
    await billing.database.execute(EXPIRE_KEYS);
    await expect(admit(key)).rejects.toMatchObject(refused);
  });

  it('notes when a key was last used, at most once a minute', async () => {
    const { account_id, api_key } = await open(60);
    const lastUsedAt = async () => (await billing.get(ListRecords).listKeys({ account_id })).data[0]?.last_used_at;
    expect(await lastUsedAt()).toBeNull();
    await admit(api_key);
    await billing.get(LastUseRecorder).flush();
    expect(await lastUsedAt()).toBe(NOW);
    await billing.setNow('2026-11-14T12:01:00.000Z');
    await admit(api_key);
    await billing.get(LastUseRecorder).flush();
    expect(await lastUsedAt()).toBe(NOW);
  });
});
