import type { ApiError } from '@kinora/contracts/shared/errors';
import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { useBilling } from './billing.fixtures';
import { SetAutoRecharge } from '../src/use-cases/set-auto-recharge.use-case';
import { CheckFunds } from '../src/use-cases/check-funds.query';

const billing = useBilling({ payments: 'sandbox' }, { now: '2026-11-14T12:00:00Z' });

const HOLDS = statement('spec_holds', 'SELECT job_id FROM hold WHERE account_id = $1');

describe('a check of the balance and the slots', () => {
  const open = async (balance_micros: number, max_concurrent_jobs = 5) =>
    (await billing.createAccount({ balance_micros, max_concurrent_jobs })).account_id;
  const openKey = async (account_id: string, cap_micros: number) =>
    (await billing.createKey({ account_id, name: 'k', cap_micros, cap_period: 'day' })).api_key_id;
  const check = (account_id: string, amount_micros: number, api_key_id?: string) =>
    billing.get(CheckFunds).execute({ account_id, amount_micros, ...(api_key_id && { api_key_id }) });
  const reserve = (account_id: string, amount_micros: number, api_key_id: string) =>
    billing.reserve({ account_id, job_id: uuidv7(), amount_micros, api_key_id });

  it('refuses one micro more than the balance, passes any other amount, and holds nothing', async () => {
    const account = await open(500);
    await expect(check(account, 501)).rejects.toMatchObject({
      code: 'insufficient_balance',
      message: expect.stringMatching(/^The job costs 0\.000501 USD, and the balance is 0\.0005 USD, /) as string,
    });
    expect(await check(account, 500)).toEqual({});
    expect(await billing.database.query(HOLDS, [account])).toEqual([]);
  });

  it('counts held money, which may be refunded, or be the hold of the same job after a crash', async () => {
    const account = await open(500);
    const key = await openKey(account, 500);
    await reserve(account, 500, key);
    expect(await check(account, 500, key)).toEqual({});
    await expect(check(account, 501, key)).rejects.toMatchObject({ code: 'insufficient_balance' });
  });

  it('refuses a key that has spent its cap, and passes another key of the account', async () => {
    const account = await open(5_000);
    const [capped, other] = [await openKey(account, 500), await openKey(account, 5_000)];
    const job_id = uuidv7();
    await billing.reserve({ account_id: account, job_id, amount_micros: 400, api_key_id: capped });
    await billing.capture(job_id);
    await expect(check(account, 101, capped)).rejects.toMatchObject({ code: 'key_budget_exceeded' });
    expect(await check(account, 100, capped)).toEqual({});
    expect(await check(account, 101, other)).toEqual({});
  });

  it('refuses an account without a free slot after its money, and passes it when a job has ended', async () => {
    const account = await open(500, 2);
    const key = await openKey(account, 500);
    const job_id = uuidv7();
    await billing.reserve({ account_id: account, job_id, amount_micros: 1, api_key_id: key });
    expect(await check(account, 1, key)).toEqual({});
    await reserve(account, 1, key);
    await expect(check(account, 1, key)).rejects.toMatchObject({
      code: 'concurrency_limit',
      message: expect.stringMatching(/limit of 2 jobs in flight/) as string,
      retryAfterSeconds: 1,
    });
    await expect(check(account, 501, key)).rejects.toMatchObject({ code: 'insufficient_balance' });
    await billing.capture(job_id);
    expect(await check(account, 1, key)).toEqual({});
  });

  it('counts on request what is available now, like a reserve, and refuses in the words of one', async () => {
    const account = await open(500);
    const key = await openKey(account, 450);
    await reserve(account, 400, key);
    const checkNow = (amount_micros: number) =>
      billing.get(CheckFunds).execute({ account_id: account, amount_micros, api_key_id: key, available_only: true });
    for (const amount of [51, 101]) {
      const refused = (await reserve(account, amount, key).catch((error: unknown) => error)) as ApiError;
      await expect(checkNow(amount)).rejects.toMatchObject({ code: refused.code, message: refused.message });
    }
    expect(await checkNow(50)).toEqual({});
  });

  it('passes an account with auto-recharge', async () => {
    const account = await open(0);
    await billing.get(SetAutoRecharge).execute({
      account_id: account,
      enabled: true,
      threshold_micros: 1_000_000,
      amount_micros: 5_000_000,
      payment_method: 'pm_unknown',
    });
    expect(await check(account, 501)).toEqual({});
  });
});
