import { isWellFormedApiKey } from '@kinora/contracts/billing/api-key-format';
import type { CreateAccountKeyBody } from '@kinora/contracts/billing/account-key.body';
import { v7 as uuidv7 } from 'uuid';
import { countByOutcome, useBilling, runConcurrently, sha256 } from './billing.fixtures';
import { KEY_CHANGES_PER_HOUR } from '../src/operator/audit-trail.repository';
import { SelfService } from './self-service.fixtures';
import { CreateKey } from '../src/use-cases/create-key.use-case';
import { CreatePortalLink, RedeemPortalLink, RevokePortalKey } from '../src/use-cases/portal-session.use-case';
import { VerifyLedger } from '../src/use-cases/verify-ledger.use-case';
import { MAX_KEYS } from '../src/use-cases/create-account-key.use-case';

const billing = useBilling({}, { now: '2026-11-14T12:00:00Z' });

const open = (balance?: number) => SelfService.open(billing, balance);
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const refusal = (code: string, param: string) => expect.objectContaining({ code, param, status: 403 }) as unknown;

describe('a key that creates a key', () => {
  it('gets it with its secret, which no list repeats', async () => {
    const account = await open();
    const { api_key, ...key } = await account.create({ name: 'worker', models: ['fast-image'] });
    expect(isWellFormedApiKey(api_key)).toBe(true);
    expect(key).toEqual({
      object: 'api_key',
      id: key.id,
      name: 'worker',
      prefix: api_key.slice(0, 12),
      scope: 'jobs',
      models: ['fast-image'],
      budget_micros: null,
      budget_period: null,
      spent_micros: null,
      expires_at: null,
      created_at: expect.stringMatching(/Z$/) as string,
      last_used_at: null,
    });
    expect(await account.list()).toEqual([key, expect.objectContaining({ id: account.caller.api_key_id })]);
    expect(await account.admit(api_key)).toMatchObject({ api_key_id: key.id, allowed_models: ['fast-image'] });
  });

  it('stands in the audit trail with what it gave, and without the secret', async () => {
    const account = await open();
    const { id, api_key } = await account.create({ name: 'worker', scope: 'read' });
    const data = await billing.actionsOf(account.caller.account_id);
    expect(data[0]).toMatchObject({
      action: 'create_key',
      actor: null,
      api_key_id: account.caller.api_key_id,
      details: { name: 'worker', scope: 'read', created_key_id: id },
    });
    expect(JSON.stringify(data)).not.toContain(api_key.slice(12));
  });

  it.each(['read', 'jobs'] as const)('needs the scope account, also where its admission said so: %s', async (scope) => {
    const account = await open();
    const { id } = await account.create({ scope });
    await expect(account.by(id).create()).rejects.toMatchObject({ code: 'scope_required' });
    await expect(account.by(id).list()).rejects.toMatchObject({ code: 'scope_required' });
    await expect(account.by(id).rotate(id)).rejects.toMatchObject({ code: 'scope_required' });
    await expect(account.by(id).revoke(id)).rejects.toMatchObject({ code: 'scope_required' });
  });

  it('must be valid itself', async () => {
    const account = await open();
    const { id } = await account.create({ scope: 'account' });
    await account.revoke(id);
    await expect(account.by(id).create()).rejects.toMatchObject({ code: 'invalid_api_key' });
    await expect(account.by(uuidv7()).create()).rejects.toMatchObject({ code: 'invalid_api_key' });
    const other = await open();
    const foreign = account.by(other.caller.api_key_id);
    await expect(foreign.create()).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it.each<[Partial<CreateAccountKeyBody>, string]>([
    [{ models: ['a', 'a'] }, 'models'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ budget_micros: 5 }, 'budget_period'],
    [{ budget_period: 'day' }, 'budget_micros'],
  ])('is refused %j', async (input, param) => {
    const account = await open();
    await expect(account.create(input)).rejects.toMatchObject({ code: 'invalid_body', param });
  });
});

describe('a key with models', () => {
  it('gives all of them, or some, and no other', async () => {
    const account = await (await open()).restricted({ allowed_models: ['a', 'b'] });
    expect(await account.create()).toMatchObject({ models: ['a', 'b'] });
    expect(await account.create({ models: ['b'] })).toMatchObject({ models: ['b'] });
    await expect(account.create({ models: ['b', 'c'] })).rejects.toEqual(refusal('exceeds_key', 'models[1]'));
  });
});

describe('a key that expires', () => {
  it('gives its own end, or an earlier one', async () => {
    const expires_at = inDays(2);
    const account = await (await open()).restricted({ expires_at });
    expect(await account.create()).toMatchObject({ expires_at });
    expect(await account.create({ expires_at: inDays(1) })).toMatchObject({ scope: 'jobs' });
    await expect(account.create({ expires_at: inDays(3) })).rejects.toEqual(refusal('exceeds_key', 'expires_at'));
  });
});

describe('a key with a budget', () => {
  const budgeted = async (cap_micros: number, cap_period: 'day' | 'month' = 'day') => {
    const owner = await open();
    return { owner, account: await owner.restricted({ cap_micros, cap_period }) };
  };
  const budgetOf = async (account: SelfService, id = account.caller.api_key_id) => {
    const { budget_micros, spent_micros } = (await account.find(id)) ?? {};
    return [budget_micros, spent_micros];
  };

  it('gives from its own, so that both together never spend more', async () => {
    const { account } = await budgeted(100);
    const { id } = await account.create({ budget_micros: 60, budget_period: 'day' });
    expect(await budgetOf(account)).toEqual([40, 0]);
    await account.reserve(id, uuidv7(), 60);
    await expect(account.reserve(account.caller.api_key_id, uuidv7(), 41)).rejects.toMatchObject({
      code: 'key_budget_exceeded',
    });
    await account.reserve(account.caller.api_key_id, uuidv7(), 40);
  });

  it('gives no more than it has left, and no unlimited key', async () => {
    const { account } = await budgeted(100);
    await account.reserve(account.caller.api_key_id, uuidv7(), 30);
    const beyond = { budget_micros: 71, budget_period: 'day' } as const;
    await expect(account.create(beyond)).rejects.toEqual(refusal('exceeds_key', 'budget_micros'));
    await expect(account.create()).rejects.toEqual(refusal('exceeds_key', 'budget_micros'));
    await account.create({ budget_micros: 70, budget_period: 'day' });
    expect(await budgetOf(account)).toEqual([30, 30]);
  });

  it('gives no budget of a longer period, and a shorter one for every day of a month', async () => {
    const { account: daily } = await budgeted(100, 'day');
    const monthly = { budget_micros: 1, budget_period: 'month' } as const;
    await expect(daily.create(monthly)).rejects.toEqual(refusal('exceeds_key', 'budget_micros'));
    const { account } = await budgeted(100, 'month');
    const day = (budget_micros: number) => account.create({ budget_micros, budget_period: 'day' });
    await expect(day(4)).rejects.toEqual(refusal('exceeds_key', 'budget_micros'));
    await day(3);
    expect(await budgetOf(account)).toEqual([7, 0]);
  });

  it('gives it once, whatever is requested at the same time', async () => {
    const { account } = await budgeted(100);
    const created = await runConcurrently(8, () =>
      account.create({ budget_micros: 30, budget_period: 'day' }).then(() => 'created'),
    );
    expect(countByOutcome(created)).toEqual({ created: 3, exceeds_key: 5 });
    expect(await budgetOf(account)).toEqual([10, 0]);
  });

  it('gets it back from a revoked key, without what that has spent', async () => {
    const { account } = await budgeted(100);
    const { id } = await account.create({ budget_micros: 60, budget_period: 'day' });
    const job = uuidv7();
    await account.reserve(id, job, 25);
    await account.revoke(id);
    expect(await budgetOf(account)).toEqual([100, 25]);
    // Admitted before the revocation, reserved after it.
    await expect(account.reserve(id, uuidv7(), 1)).rejects.toMatchObject({ code: 'key_budget_exceeded' });
    await billing.refund(job);
    expect(await budgetOf(account)).toEqual([100, 0]);
    await expect(account.reserve(id, uuidv7(), 1)).rejects.toMatchObject({ code: 'key_budget_exceeded' });
  });

  it.each(['day', 'month'] as const)(
    'counts what jobs of a revoked key cost after it, a budget of a %s',
    async (cap) => {
      const { account } = await budgeted(1_000, 'month');
      const { id: middle } = await account.create({ scope: 'account', budget_micros: 500, budget_period: 'month' });
      const { id } = await account.by(middle).create({ budget_micros: 10, budget_period: cap });
      const [captured, refunded, late] = [uuidv7(), uuidv7(), uuidv7()];
      for (const job of [captured, refunded, late]) await account.reserve(id, job, 3);
      await billing.capture(captured);
      const owner = account.by((await account.restricted({})).caller.api_key_id);
      await owner.revoke(id);
      await billing.refund(refunded);
      await owner.revoke(middle);
      await billing.refund(late);
      expect(await budgetOf(account)).toEqual([1_000, cap === 'month' ? 3 : 304]);
      expect((await billing.get(VerifyLedger).execute({ full: true })).violations).toEqual([]);
    },
  );

  it('stays exact while jobs of keys end that are revoked at once', async () => {
    const { account } = await budgeted(100);
    const { account_id } = account.caller;
    await billing.setLimits({ account_id, max_concurrent_jobs: 30 });
    const gifts = await Promise.all([1, 2, 3].map(() => account.create({ budget_micros: 30, budget_period: 'day' })));
    const jobs = gifts.flatMap(({ id }) => Array.from({ length: 10 }, () => ({ id, job_id: uuidv7() })));
    for (const { id, job_id } of jobs) await account.reserve(id, job_id, 3);
    await Promise.all([
      ...jobs.map(({ job_id }, place) => (place % 2 === 0 ? billing.refund(job_id) : billing.capture(job_id))),
      ...gifts.map(({ id }) => account.revoke(id)),
    ]);
    expect(await budgetOf(account)).toEqual([100, 45]);
  });

  it('gets it back through a revoked key between', async () => {
    const { account } = await budgeted(100);
    const { id: middle } = await account.create({ scope: 'account', budget_micros: 60, budget_period: 'day' });
    const { id: last } = await account.by(middle).create({ budget_micros: 50, budget_period: 'day' });
    await account.revoke(middle);
    expect(await budgetOf(account)).toEqual([50, 0]);
    const owner = account.by((await account.restricted({})).caller.api_key_id);
    await owner.revoke(last);
    expect(await budgetOf(account)).toEqual([100, 0]);
  });

  it('gets a daily budget back at its next month only', async () => {
    const { account } = await budgeted(100, 'month');
    const { id } = await account.create({ budget_micros: 2, budget_period: 'day' });
    await account.revoke(id);
    expect(await budgetOf(account)).toEqual([100, 62]);
  });

  it('never creates a key with more than it has, while its jobs spend', async () => {
    const { account } = await budgeted(100);
    const key = account.caller.api_key_id;
    const outcomes = await runConcurrently(20, (index) =>
      index % 2 === 0
        ? account.reserve(key, uuidv7(), 10).then(() => 'spent')
        : account.create({ budget_micros: 10, budget_period: 'day' }).then(() => 'given'),
    );
    const { spent = 0, given = 0 } = countByOutcome(outcomes);
    expect(spent + given).toBe(10);
    expect(await budgetOf(account)).toEqual([100 - 10 * given, 10 * spent]);
  });
});

describe('the number of keys', () => {
  it('is bounded, and revoked keys leave room', async () => {
    const account = await open();
    const { account_id } = account.caller;
    const createKey = billing.get(CreateKey);
    for (let count = 1; count < MAX_KEYS - 1; count++) await createKey.execute({ account_id, name: 'filler' });
    const { id } = await account.create();
    await expect(account.create()).rejects.toMatchObject({ code: 'too_many_keys', status: 400 });
    await account.revoke(id);
    const created = await runConcurrently(4, () => account.create().then(() => 'created'));
    expect(countByOutcome(created)).toEqual({ created: 1, too_many_keys: 3 });
  });

  it('of changes in an hour is bounded', async () => {
    const account = await open();
    const { id } = await account.create();
    for (let count = 1; count < KEY_CHANGES_PER_HOUR; count++) await account.rotate(id);
    await expect(account.rotate(id)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: expect.any(Number) as number,
    });
    await expect((await open()).create()).resolves.toBeDefined();
    // A leaked key is revoked all the same.
    await account.revoke(id);
  });

  it('of changes in an hour counts no sign-outs', async () => {
    const account = await open();
    const { account_id } = account.caller;
    for (let count = 0; count < KEY_CHANGES_PER_HOUR; count++) {
      const { token } = await billing.get(CreatePortalLink).execute({ account_id });
      const { api_key } = await billing.get(RedeemPortalLink).execute({ token_sha256: sha256(token) });
      await billing.get(RevokePortalKey).execute({ key_sha256: sha256(api_key) });
    }
    await account.create();
  });
});
