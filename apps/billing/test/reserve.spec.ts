import type { AccountStatus } from '@kinora/contracts/billing/account';
import type { AccountDetails, CreateAccountRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import { statement } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { countByOutcome, runConcurrently, useBilling } from './billing.fixtures';
import { WalletRepository } from '../src/wallet/wallet.repository';
import { Capture, Refund } from '../src/use-cases/end-hold.use-case';
import type { ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import { ReservationRepository } from '../src/wallet/reservation.repository';
import { VerifyLedger } from '../src/use-cases/verify-ledger.use-case';

const billing = useBilling();

const ANY_WAITING = statement(
  '',
  `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() LIMIT 1`,
);

describe('reserve', () => {
  const open = async (settings: Omit<CreateAccountRequest, 'name'>): Promise<string> =>
    (await billing.createAccount({ ...settings })).account_id;
  const show = (accountId: string): Promise<AccountDetails> => billing.show(accountId);

  it('moves the amount from available to held, and takes a slot', async () => {
    const account_id = await open({ balance_micros: 100, retention_days: 30 });
    const reservation = await billing.reserve({ account_id, job_id: uuidv7(), amount_micros: 70 });
    expect(reservation).toEqual({ amount_micros: 70, retention_days: 30 });
    expect(await show(account_id)).toMatchObject({ balance_micros: 30, held_micros: 70, in_flight_jobs: 1 });
  });

  it('reserves exactly what the balance covers in concurrent requests', async () => {
    const account_id = await open({ balance_micros: 700, max_concurrent_jobs: 10_000 });
    const outcomes = await runConcurrently(2_000, () =>
      billing.reserve({ account_id, job_id: uuidv7(), amount_micros: 1 }),
    );
    expect(countByOutcome(outcomes)).toEqual({
      '{"amount_micros":1,"retention_days":7}': 700,
      insufficient_balance: 1_300,
    });
    expect(await show(account_id)).toMatchObject({ balance_micros: 0, held_micros: 700, in_flight_jobs: 700 });
  });

  it('reserves for exactly the allowed jobs in flight, and refuses the rest with concurrency_limit', async () => {
    const account_id = await open({ balance_micros: 1_000, max_concurrent_jobs: 5 });
    const outcomes = await runConcurrently(200, () =>
      billing.reserve({ account_id, job_id: uuidv7(), amount_micros: 1 }),
    );
    expect(countByOutcome(outcomes)).toEqual({ '{"amount_micros":1,"retention_days":7}': 5, concurrency_limit: 195 });
  });

  it('names the price and the balance, or the limit, alone and in a batch', async () => {
    const messageOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: Error) => error.message);
    const poor = await open({ balance_micros: 15_000 });
    const refused =
      'The job costs 0.02 USD, and the balance is 0.015 USD. Top up the account, or switch auto-recharge on.';
    const call = (account_id: string, amount_micros: number) =>
      messageOf(billing.reserve({ account_id, job_id: uuidv7(), amount_micros }));
    expect(await call(poor, 20_000)).toBe(refused);
    expect(await Promise.all([call(poor, 20_000), call(poor, 20_000)])).toEqual([refused, refused]);
    const busy = await open({ balance_micros: 10, max_concurrent_jobs: 1 });
    await call(busy, 1);
    const limit =
      'The account has reached its limit of 1 jobs in flight (max_concurrent_jobs). Retry when one has ended.';
    expect(await Promise.all([call(busy, 1), call(busy, 1)])).toEqual([limit, limit]);
  });

  it("spends money that arrived while it waited for the wallet's lock", async () => {
    const account_id = await open({ balance_micros: 0 });
    const change = { kind: 'top_up', account_id, amount_micros: 10, reason: null } as const;
    const reserving = await billing.database.transaction(async (transaction) => {
      await billing.get(WalletRepository).changeBalance(transaction, change);
      const waiting = { reservation: billing.reserve({ account_id, job_id: uuidv7(), amount_micros: 10 }) };
      await waitFor(() => billing.database.findOne(ANY_WAITING));
      return waiting;
    });
    expect(await reserving.reservation).toMatchObject({ amount_micros: 10 });
    expect(await show(account_id)).toMatchObject({ balance_micros: 0, held_micros: 10 });
  });

  it('frees the slot when the job ends, and returns Retry-After until then', async () => {
    const account_id = await open({ balance_micros: 10, max_concurrent_jobs: 1 });
    const job_id = uuidv7();
    const next = { account_id, job_id: uuidv7(), amount_micros: 1 };
    await billing.reserve({ account_id, job_id, amount_micros: 1 });
    await expect(billing.reserve(next)).rejects.toMatchObject({ code: 'concurrency_limit', retryAfterSeconds: 1 });
    await billing.capture(job_id);
    expect(await billing.reserve(next)).toMatchObject({ amount_micros: 1 });
  });

  it('holds once for a job in concurrent repeated requests', async () => {
    const account_id = await open({ balance_micros: 1_000, max_concurrent_jobs: 100 });
    const jobIds = Array.from({ length: 50 }, () => uuidv7());
    const outcomes = await runConcurrently(200, (index) => {
      const job_id = jobIds[Math.floor(index / 4)] as string;
      return billing.reserve({ account_id, job_id, amount_micros: 10 });
    });
    expect(countByOutcome(outcomes)).toEqual({ '{"amount_micros":10,"retention_days":7}': 200 });
    expect(await show(account_id)).toMatchObject({ balance_micros: 500, held_micros: 500, in_flight_jobs: 50 });
  });

  it('keeps the amount of the first reserve, because the price may change before a retry', async () => {
    const account_id = await open({ balance_micros: 100 });
    const request = { account_id, job_id: uuidv7(), amount_micros: 10 };
    await billing.reserve(request);
    expect(await billing.reserve({ ...request, amount_micros: 3 })).toMatchObject({ amount_micros: 10 });
    expect(await show(account_id)).toMatchObject({ balance_micros: 90, held_micros: 10, in_flight_jobs: 1 });
  });

  it('answers a repeated reserve although neither the balance nor the slots allow another', async () => {
    const account_id = await open({ balance_micros: 10, max_concurrent_jobs: 1 });
    const request = { account_id, job_id: uuidv7(), amount_micros: 10 };
    expect(await billing.reserve(request)).toEqual(await billing.reserve(request));
  });

  it.each(['paused', 'suspended', 'closed'] satisfies AccountStatus[])(
    'refuses new jobs of an account that is %s, and only those',
    async (status) => {
      const account_id = await open({ balance_micros: 10 });
      const accepted = { account_id, job_id: uuidv7(), amount_micros: 1 };
      await billing.reserve(accepted);
      await billing.setStatus({ account_id, status });
      const refused = billing.reserve({ ...accepted, job_id: uuidv7() });
      await expect(refused).rejects.toMatchObject({ code: `account_${status}`, status: 403 });
      expect(await billing.reserve(accepted)).toMatchObject({ amount_micros: 1 });
      await billing.setStatus({ account_id, status: 'active' });
      expect(await billing.reserve({ ...accepted, job_id: uuidv7() })).toMatchObject({ amount_micros: 1 });
    },
  );

  it('checks the status before the balance', async () => {
    const account_id = await open({ balance_micros: 0 });
    await billing.setStatus({ account_id, status: 'paused' });
    const refused = billing.reserve({ account_id, job_id: uuidv7(), amount_micros: 1 });
    await expect(refused).rejects.toMatchObject({ code: 'account_paused' });
  });

  it.each([
    ['captured', () => billing.get(Capture)],
    ['refunded', () => billing.get(Refund)],
  ])('never reserves again for a job that was %s', async (_, end) => {
    const account_id = await open({ balance_micros: 10 });
    const request = { account_id, job_id: uuidv7(), amount_micros: 1 };
    await billing.reserve(request);
    await end().execute(request);
    await expect(billing.reserve(request)).rejects.toMatchObject({ code: 'capacity' });
    expect(await show(account_id)).toMatchObject({ held_micros: 0, in_flight_jobs: 0 });
  });

  it('takes a slot for a free job', async () => {
    const account_id = await open({ balance_micros: 0, max_concurrent_jobs: 1 });
    const outcomes = await runConcurrently(2, () =>
      billing.reserve({ account_id, job_id: uuidv7(), amount_micros: 0 }),
    );
    expect(countByOutcome(outcomes)).toEqual({ '{"amount_micros":0,"retention_days":7}': 1, concurrency_limit: 1 });
  });

  it('lets jobs beyond a lowered limit continue, and refuses new ones', async () => {
    const account_id = await open({ balance_micros: 10, max_concurrent_jobs: 3 });
    const job_id = uuidv7();
    await billing.reserve({ account_id, job_id, amount_micros: 1 });
    await billing.reserve({ account_id, job_id: uuidv7(), amount_micros: 1 });
    await billing.setLimits({ account_id, max_concurrent_jobs: 1 });
    const next = { account_id, job_id: uuidv7(), amount_micros: 1 };
    await expect(billing.reserve(next)).rejects.toMatchObject({ code: 'concurrency_limit' });
    expect(await billing.capture(job_id)).toEqual({ state: 'captured' });
    await expect(billing.reserve(next)).rejects.toMatchObject({ code: 'concurrency_limit' });
  });

  it('refuses a negative amount, and a job of another account', async () => {
    const [mine, other] = [await open({ balance_micros: 10 }), await open({ balance_micros: 10 })];
    const job_id = uuidv7();
    await billing.reserve({ account_id: other, job_id, amount_micros: 1 });
    const foreign = billing.reserve({ account_id: mine, job_id, amount_micros: 1 });
    await expect(foreign).rejects.toMatchObject({ code: 'capacity' });
    await billing.reserve({ account_id: mine, job_id: uuidv7(), amount_micros: 5 });
    const negative = billing.reserve({ account_id: mine, job_id: uuidv7(), amount_micros: -1 });
    await expect(negative).rejects.toThrow('hold_amount_micros_check');
    expect(await show(mine)).toMatchObject({ balance_micros: 5, in_flight_jobs: 1 });
  });
});

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
    const reservations = billing.get(ReservationRepository);
    const reserves = [11, 10].map((amount_micros) =>
      reservations.reserve({ account_id, job_id: uuidv7(), amount_micros }),
    );
    expect(await Promise.all(reserves)).toMatchObject([
      { snapshot: { is_reserved: false } },
      { snapshot: { is_reserved: true } },
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
