import type { ApiKeyDetails, CapPeriod } from '@kinora/contracts/billing/billing-admin.rpc';
import { v7 as uuidv7 } from 'uuid';
import { useBilling, runConcurrently, countByOutcome } from './billing.fixtures';
import { CreateKey } from '../src/use-cases/create-key.use-case';
import { ListRecords } from '../src/use-cases/list-records.query';
import { VerifyLedger } from '../src/use-cases/verify-ledger.use-case';

const billing = useBilling({}, { now: '2026-11-14T12:00:00Z' });

const HELD = '{"amount_micros":10,"retention_days":7}';

describe("a key's spending cap", () => {
  /** A capped key of an account with a much larger balance. */
  async function open(cap_micros: number, cap_period: CapPeriod = 'day') {
    const settings = { name: 'test', balance_micros: 10_000, max_concurrent_jobs: 1_000 };
    const { account_id } = await billing.createAccount(settings);
    const request = { account_id, name: 'capped', cap_micros, cap_period };
    const { api_key_id } = await billing.createKey(request);
    return {
      account_id,
      api_key_id,
      reserve: (amount_micros: number, job_id = uuidv7()) =>
        billing.reserve({ account_id, api_key_id, job_id, amount_micros }),
      show: async () => (await billing.get(ListRecords).listKeys({ account_id })).data[0] as ApiKeyDetails,
    };
  }

  const exceeded = { code: 'key_budget_exceeded', status: 402, type: 'insufficient_balance' };

  it('is reached exactly in concurrent requests', async () => {
    const key = await open(255);
    expect(countByOutcome(await runConcurrently(200, () => key.reserve(10)))).toEqual({
      [HELD]: 25,
      key_budget_exceeded: 175,
    });
    expect(await key.show()).toMatchObject({ cap_micros: 255, cap_period: 'day', spent_in_period_micros: 250 });
    expect(await key.reserve(5)).toMatchObject({ amount_micros: 5 });
  });

  it('counts a job once, also if its reserve is repeated', async () => {
    const key = await open(10);
    const job_id = uuidv7();
    expect(countByOutcome(await runConcurrently(20, () => key.reserve(10, job_id)))).toEqual({ [HELD]: 20 });
    expect((await key.show()).spent_in_period_micros).toBe(10);
  });

  it('is reduced by refunds, not by captures', async () => {
    const key = await open(20);
    const [refunded, captured] = [uuidv7(), uuidv7()];
    await key.reserve(10, refunded);
    await key.reserve(10, captured);
    await billing.capture(captured);
    await expect(key.reserve(1)).rejects.toMatchObject(exceeded);
    await runConcurrently(20, () => billing.refund(refunded));
    expect(await key.reserve(10)).toMatchObject({ amount_micros: 10 });
    await expect(key.reserve(1)).rejects.toMatchObject(exceeded);
  });

  it('stays exact while jobs end and others begin', async () => {
    const key = await open(50);
    await runConcurrently(300, async (index) => {
      const job_id = uuidv7();
      await key.reserve(10, job_id);
      return index % 10 === 0 ? billing.capture(job_id) : billing.refund(job_id);
    });
    expect((await key.show()).spent_in_period_micros).toBeLessThanOrEqual(50);
    expect(await billing.get(VerifyLedger).execute()).toMatchObject({ violations: [] });
  });

  it.each<[CapPeriod, string, string]>([
    ['day', '2026-11-29T23:59:59.999Z', '2026-11-30T00:00:00Z'],
    ['month', '2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00Z'],
  ])('begins anew with each %s of UTC', async (period, last, first) => {
    await billing.setNow(last);
    const key = await open(10, period);
    const earlier = uuidv7();
    await key.reserve(10, earlier);
    await billing.setNow(first);
    expect((await key.show()).spent_in_period_micros).toBe(0);
    await key.reserve(7);
    // An amount of an earlier period does not belong to the current one.
    await billing.refund(earlier);
    expect((await key.show()).spent_in_period_micros).toBe(7);
    await expect(key.reserve(4)).rejects.toMatchObject(exceeded);
  });

  it('bounds its own key only', async () => {
    const key = await open(10);
    await key.reserve(10);
    const { account_id } = key;
    const other = await billing
      .get(CreateKey)
      .execute({ account_id, name: 'other', cap_micros: 20, cap_period: 'day' });
    const asOther = { account_id, job_id: uuidv7(), amount_micros: 20 };
    expect(await billing.reserve({ ...asOther, api_key_id: other.api_key_id })).toMatchObject({
      amount_micros: 20,
    });
    expect(await billing.reserve({ ...asOther, job_id: uuidv7() })).toMatchObject({ amount_micros: 20 });
  });

  it('is checked after the balance, and admits a free job', async () => {
    const key = await open(10);
    await expect(key.reserve(10_001)).rejects.toMatchObject({ code: 'insufficient_balance' });
    await key.reserve(10);
    expect(await key.reserve(0)).toMatchObject({ amount_micros: 0 });
  });

  it.each([
    ['cap_period', { cap_micros: 10 }],
    ['cap_micros', { cap_period: 'day' }],
    ['cap_period', { cap_micros: 10, cap_period: 'week' }],
    ['cap_micros', { cap_micros: 0, cap_period: 'day' }],
    ['allowed_models', { allowed_models: [] }],
    ['allowed_models', { allowed_models: ['a', 'a'] }],
    ['allowed_models', { allowed_models: 'general-image' }],
    ['allowed_models', { allowed_models: ['a', 5] }],
  ])('is refused for a bad %s: %j', async (param, limits) => {
    const request = { account_id: uuidv7(), name: 'bad', ...limits } as Parameters<CreateKey['execute']>[0];
    await expect(billing.createKey(request)).rejects.toMatchObject({ code: 'invalid_body', param });
  });
});
