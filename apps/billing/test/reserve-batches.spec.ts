import type { ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import { v7 as uuidv7 } from 'uuid';
import { useBilling, countByOutcome } from './billing.fixtures';
import { ReservationRepository } from '../src/wallet/reservation.repository';
import { Capture, Refund } from '../src/use-cases/end-hold.use-case';
import { VerifyLedger } from '../src/use-cases/verify-ledger.use-case';

const billing = useBilling();

const HELD = 'held';

describe('reserves in one batch', () => {
  afterEach(async () => expect((await billing.get(VerifyLedger).execute()).violations).toEqual([]));

  const open = async (balance_micros: number, max_concurrent_jobs = 100): Promise<string> =>
    (await billing.createAccount({ balance_micros, max_concurrent_jobs })).account_id;
  const outcome = (request: ReserveRequest): Promise<string> =>
    billing.reserve(request).then(
      () => HELD,
      (error: Error & { code?: string }) => error.code ?? error.message,
    );
  const reserve = (account_id: string, amount_micros: number, job_id = uuidv7()): Promise<string> =>
    outcome({ account_id, job_id, amount_micros });
  const show = (account_id: string) => billing.show(account_id);

  it('are each decided by their own account', async () => {
    const [rich, poor, narrow, paused] = [await open(100), await open(1), await open(100, 1), await open(100)];
    await billing.setStatus({ account_id: paused, status: 'paused' });
    const accounts = [rich, poor, narrow, paused, rich, narrow];
    expect(await Promise.all(accounts.map((account_id) => reserve(account_id, 10)))).toEqual([
      HELD,
      'insufficient_balance',
      HELD,
      'account_paused',
      HELD,
      'concurrency_limit',
    ]);
  });

  it('do not block one that fits, however large the earlier ones are', async () => {
    const account_id = await open(10);
    const outcomes = await Promise.all([4, 8, 5].map((amount) => reserve(account_id, amount)));
    expect(outcomes).toEqual([HELD, 'insufficient_balance', HELD]);
    expect(await show(account_id)).toMatchObject({ balance_micros: 1, held_micros: 9, in_flight_jobs: 2 });
  });

  it('are not retried because of one that never fits', async () => {
    const account_id = await open(10);
    const caller = { call: undefined, traceparent: undefined };
    const outcomes = await billing
      .get(ReservationRepository)
      .reserve([11, 10].map((amount_micros) => ({ item: { account_id, job_id: uuidv7(), amount_micros }, caller })));
    expect(outcomes).toMatchObject([
      { value: { snapshot: { is_reserved: false } } },
      { value: { snapshot: { is_reserved: true } } },
    ]);
  });

  it('hold once for a job that the batch repeats', async () => {
    const account_id = await open(100);
    const job_id = uuidv7();
    const outcomes = await Promise.all(
      [...Array<string>(20).fill(job_id), uuidv7()].map((id) => reserve(account_id, 10, id)),
    );
    expect(countByOutcome(outcomes)).toEqual({ [HELD]: 21 });
    expect(await show(account_id)).toMatchObject({ held_micros: 20, in_flight_jobs: 2 });
  });

  it('succeed although one of them is invalid', async () => {
    const [account_id, unknown] = [await open(100), uuidv7()];
    const outcomes = await Promise.all([reserve(account_id, 10), reserve(unknown, 10), reserve(account_id, -1)]);
    expect(outcomes).toEqual([HELD, expect.stringContaining(unknown), '23514']);
    expect(await show(account_id)).toMatchObject({ held_micros: 10, in_flight_jobs: 1 });
  });

  it('take exactly the balances of many accounts, which are then fully refunded or spent', async () => {
    const accounts = await Promise.all(Array.from({ length: 8 }, () => open(50)));
    const jobs = accounts.flatMap((account_id) => Array.from({ length: 9 }, () => ({ account_id, job_id: uuidv7() })));
    const outcomes = await Promise.all(jobs.map((job) => outcome({ ...job, amount_micros: 10 })));
    expect(countByOutcome(outcomes)).toEqual({ [HELD]: 40, insufficient_balance: 32 });
    const held = jobs.filter((_, index) => outcomes[index] === HELD);
    const ends = await Promise.all(
      held.flatMap((job, index) => {
        const end = index % 2 === 0 ? billing.get(Capture) : billing.get(Refund);
        return [end.execute(job), end.execute(job)];
      }),
    );
    expect(countByOutcome(ends.map(({ state }) => state))).toEqual({ captured: 40, refunded: 40 });
    const states = await Promise.all(accounts.map(show));
    expect(states.map(({ held_micros, in_flight_jobs }) => [held_micros, in_flight_jobs])).toEqual(
      accounts.map(() => [0, 0]),
    );
  });
});
