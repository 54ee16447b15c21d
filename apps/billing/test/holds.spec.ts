import type { AccountDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { v7 as uuidv7 } from 'uuid';
import { countByOutcome, runConcurrently, useBilling } from './billing.fixtures';
import { Capture, Refund } from '../src/use-cases/end-hold.use-case';
import { VerifyLedger } from '../src/use-cases/verify-ledger.use-case';
import { holdMoves } from '../src/billing.metrics';
import { FindHolds } from '../src/use-cases/find-holds.query';
import { GetStatement } from '../src/use-cases/list-statement.query';

const billing = useBilling();

describe('the end of a hold', () => {
  let capture: Capture;
  let refund: Refund;
  let account_id: string;

  beforeAll(async () => {
    capture = billing.get(Capture);
    refund = billing.get(Refund);
  });

  beforeEach(async () => {
    const account = { name: 'test', balance_micros: 1_000, max_concurrent_jobs: 10_000 };
    ({ account_id } = await billing.createAccount(account));
  });
  afterEach(async () => {
    expect(await billing.get(VerifyLedger).execute()).toMatchObject({ ok: true });
  });

  const show = (): Promise<AccountDetails> => billing.show(account_id);
  const held = async (amount_micros: number): Promise<{ job_id: string }> => {
    const job_id = uuidv7();
    await billing.reserve({ account_id, job_id, amount_micros });
    return { job_id };
  };

  it('captures the held amount once, also if the capture is repeated', async () => {
    const job = await held(30);
    expect(countByOutcome(await runConcurrently(50, () => capture.execute(job)))).toEqual({
      '{"state":"captured"}': 50,
    });
    expect(await show()).toMatchObject({ balance_micros: 970, held_micros: 0, spent_micros: 30, in_flight_jobs: 0 });
  });

  it('refunds the held amount once, also if the refund is repeated', async () => {
    const job = await held(30);
    expect(countByOutcome(await runConcurrently(50, () => refund.execute(job)))).toEqual({
      '{"state":"refunded"}': 50,
    });
    expect(await show()).toMatchObject({ balance_micros: 1_000, held_micros: 0, spent_micros: 0, in_flight_jobs: 0 });
  });

  it('is the same for all concurrent captures and refunds, and only one of the two', async () => {
    const jobs = await Promise.all(Array.from({ length: 200 }, () => held(1)));
    const ends = await runConcurrently(1_200, (index) => {
      const job = jobs[index % jobs.length] as { job_id: string };
      return (index % 7 < 4 ? capture : refund).execute(job);
    });
    const outcomes = jobs.map(
      (_, job) => new Set(ends.filter((_end, index) => index % jobs.length === job).map((end) => JSON.stringify(end))),
    );
    expect(outcomes.filter(({ size }) => size !== 1)).toEqual([]);
    const captured = outcomes.filter((end) => end.has('{"state":"captured"}')).length;
    expect(captured).toBeGreaterThan(0);
    expect(captured).toBeLessThan(jobs.length);
    expect(await show()).toMatchObject({ balance_micros: 1_000 - captured, spent_micros: captured, in_flight_jobs: 0 });
  });

  it('is none for a job that was never reserved', async () => {
    const job = { job_id: uuidv7() };
    expect(await capture.execute(job)).toEqual({ state: 'none' });
    expect(countByOutcome(await runConcurrently(20, () => refund.execute(job)))).toEqual({ '{"state":"none"}': 20 });
    expect(await capture.execute(job)).toEqual({ state: 'none' });
  });

  it('refuses a reserve that arrives after the refund', async () => {
    const request = { account_id, job_id: uuidv7(), amount_micros: 1 };
    await refund.execute(request);
    await expect(billing.reserve(request)).rejects.toMatchObject({ code: 'capacity' });
    expect(await show()).toMatchObject({ balance_micros: 1_000, held_micros: 0, in_flight_jobs: 0 });
  });

  it('leaves nothing held in any order of a reserve, its duplicate and a refund', async () => {
    const requests = Array.from({ length: 300 }, () => ({ account_id, job_id: uuidv7(), amount_micros: 1 }));
    const outcomes = await runConcurrently<object>(900, (index) => {
      const job = Math.floor(index / 3);
      const request = requests[job] as (typeof requests)[number];
      return index % 3 === job % 3 ? refund.execute(request) : billing.reserve(request);
    });
    const foreseen = ['{"amount_micros":1,"retention_days":7}', '{"state":"refunded"}', '{"state":"none"}', 'capacity'];
    expect(Object.keys(countByOutcome(outcomes)).filter((outcome) => !foreseen.includes(outcome))).toEqual([]);
    expect(await show()).toMatchObject({ balance_micros: 1_000, held_micros: 0, in_flight_jobs: 0 });
  });
});

describe('ended holds', () => {
  it('are counted once each, by kind of end', async () => {
    const settings = { name: 'test', balance_micros: 10_000, max_concurrent_jobs: 10 };
    const { account_id } = await billing.createAccount(settings);
    const jobIds = Array.from({ length: 5 }, () => uuidv7());
    const [capture, refund] = [billing.get(Capture), billing.get(Refund)];
    for (const job_id of jobIds) await billing.reserve({ account_id, job_id, amount_micros: 10 });
    holdMoves.reset();
    for (const job_id of [...jobIds.slice(0, 3), ...jobIds.slice(0, 2)]) await capture.execute({ job_id });
    for (const job_id of [...jobIds.slice(3), ...jobIds]) await refund.execute({ job_id });
    const { values } = await holdMoves.get();
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels.kind, value]))).toEqual({
      capture: 3,
      refund: 2,
    });
  });
});

describe('the entries of a job', () => {
  const entriesOf = async (job_id: string) => (await billing.get(FindHolds).entriesOf({ job_id })).entries;

  it('are its reserve and its end, as the statement of the account shows them', async () => {
    const { account_id } = await billing.createAccount({ balance_micros: 100 });
    const [captured, refunded] = [uuidv7(), uuidv7()];
    await billing.reserve({ account_id, job_id: captured, amount_micros: 30 });
    await billing.reserve({ account_id, job_id: refunded, amount_micros: 50 });
    expect(await entriesOf(captured)).toMatchObject([{ kind: 'reserve', amount_micros: 30 }]);
    await billing.refund(refunded);
    await billing.capture(captured);

    const { data } = await billing.get(GetStatement).execute({ account_id });
    for (const job of [captured, refunded]) {
      const lines = data.filter(({ job_id }) => job_id === job);
      expect(await entriesOf(job)).toEqual(
        lines.map(({ entry_id, kind, amount_micros, created_at }) => ({ entry_id, kind, amount_micros, created_at })),
      );
    }
    expect((await entriesOf(refunded)).map(({ kind }) => kind)).toEqual(['reserve', 'refund']);
  });

  it('of an unknown job are none', async () => {
    expect(await entriesOf(uuidv7())).toEqual([]);
  });
});
