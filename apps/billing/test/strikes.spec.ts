import { v7 as uuidv7 } from 'uuid';
import type { StrikeStanding } from '@kinora/contracts/moderation/moderation.events';
import { useBilling } from './billing.fixtures';
import { FakeJobs } from './fake-jobs.fixtures';
import { ApplyStrikes, ReconcileStandings } from '../src/use-cases/apply-strikes.use-case';
import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type AccountStanding,
  type StandingsPage,
  type StandingsRequest,
  standingsRpc,
} from '@kinora/contracts/moderation/standings.rpc';
import { connectTestBus, startTestService, TestBroker, type TestBus, type TestService } from '@kinora/testing';

const billing = useBilling();

describe('apply strikes', () => {
  let applyStrikes: ApplyStrikes;
  let account_id: string;

  beforeAll(async () => {
    applyStrikes = billing.get(ApplyStrikes);
  });
  beforeEach(async () => {
    ({ account_id } = await billing.createAccount({ name: 'Ada' }));
  });

  let counted_at_us = 0;
  const standing = (strikes: number): StrikeStanding => {
    const [strike_id, job_id] = [uuidv7(), uuidv7()];
    return { strike_id, account_id, job_id, strikes, window_days: 30, limit: 5, counted_at_us: ++counted_at_us };
  };
  const suspend = (strikes: number, messageId = uuidv7()) => applyStrikes.suspend(standing(strikes), messageId);
  const reinstate = (strikes: number) => applyStrikes.reinstate(standing(strikes), uuidv7());
  const setStatus = (status: 'active' | 'paused' | 'suspended' | 'closed') =>
    billing.setStatus({ account_id, status, actor: 'Grace' });
  const status = async () => (await billing.show(account_id)).status;
  const actions = async () => (await billing.actionsOf(account_id)).map(({ action, actor }) => `${actor} ${action}`);

  it('suspends an account at the limit and not before, and records it once', async () => {
    await suspend(4);
    expect(await status()).toBe('active');

    const messageId = uuidv7();
    await Promise.all([suspend(5, messageId), suspend(5, messageId), suspend(6)]);

    expect(await billing.show(account_id)).toMatchObject({
      status: 'suspended',
      status_reason: expect.stringMatching(/^[56] strikes in 30 days$/) as string,
    });
    expect((await actions()).filter((action) => action === 'moderation suspended_for_strikes')).toHaveLength(1);
  });

  it("does not suspend again for a redelivered event after an operator's decision", async () => {
    const messageId = uuidv7();
    await suspend(5, messageId);
    await setStatus('active');

    await suspend(5, messageId);

    expect(await status()).toBe('active');
  });

  it('reverses a suspension when strikes were lifted below the limit', async () => {
    await suspend(5);

    await reinstate(5);
    expect(await status()).toBe('suspended');
    await reinstate(4);

    expect(await status()).toBe('active');
    expect((await actions())[0]).toBe('moderation reinstated_after_lifted_strike');
  });

  it('pauses an account again that an operator had paused before its suspension', async () => {
    await setStatus('paused');
    await suspend(5);
    expect(await status()).toBe('suspended');
    await reinstate(4);
    expect(await status()).toBe('paused');

    await suspend(5);
    await reinstate(4);
    expect(await status()).toBe('paused');

    await setStatus('active');
    await suspend(5);
    await reinstate(4);
    expect(await status()).toBe('active');
  });

  it.each([
    ['lifted below the limit', 'active', [recorded(5), lifted(4)]],
    ['lifted and still at the limit', 'suspended', [recorded(5), recorded(6), lifted(5)]],
    ['lifted below it and recorded again', 'suspended', [recorded(5), lifted(4), recorded(5)]],
  ])('applies the latest count in any order of events: %s', async (_what, expected, events) => {
    for (const order of permutationsOf(events.map((event, index) => ({ ...event, counted_at_us: index + 1 })))) {
      ({ account_id } = await billing.createAccount({ name: 'Ada' }));
      for (const { act, strikes, counted_at_us } of order)
        await applyStrikes[act]({ ...standing(strikes), counted_at_us }, uuidv7());

      expect(await status()).toBe(expected);
    }
  });

  it('does not change decisions of operators', async () => {
    await suspend(5);
    await setStatus('suspended');
    await reinstate(0);
    expect(await status()).toBe('suspended');

    await setStatus('closed');
    await suspend(5);
    expect(await status()).toBe('closed');
  });
});

function recorded(strikes: number) {
  return { act: 'suspend' as const, strikes };
}

function lifted(strikes: number) {
  return { act: 'reinstate' as const, strikes };
}

function permutationsOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    permutationsOf(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

/** Replaces moderation; it answers in pages of two. */
@Controller()
class FakeModeration {
  readonly standings = new Map<string, AccountStanding>();

  @Handles(standingsRpc.listStandings)
  async listStandings({ after_account_id }: StandingsRequest): Promise<StandingsPage> {
    const behind = [...this.standings.keys()].sort().filter((id) => id > (after_account_id ?? ''));
    const page = behind.slice(0, 2);
    const standings = page.flatMap((id) => this.standings.get(id) ?? []);
    return { standings, next_account_id: behind.length > 2 ? (page.at(-1) ?? null) : null };
  }
}

describe('reconcile standings', () => {
  let broker: TestBroker;
  let moderation: TestService;
  let jobs: TestService;
  let client: TestBus;
  let account_id: string;

  beforeAll(async () => {
    broker = await TestBroker.start();
    moderation = await startTestService({
      name: 'moderation',
      natsUrl: broker.url,
      controllers: [FakeModeration],
    });
    jobs = await startTestService({ name: 'jobs', natsUrl: broker.url, controllers: [FakeJobs] });
    client = await connectTestBus(broker.url);
  });
  const billing = useBilling({}, { bus: () => client.bus });
  afterAll(async () => {
    await client.close();
    await jobs.close();
    await moderation.close();
    await broker.close();
  });
  beforeEach(async () => {
    account_id = await openAccount();
  });

  const openAccount = async () => (await billing.createAccount({ name: 'Ada' })).account_id;
  const reconcile = () => billing.get(ReconcileStandings).execute();
  const status = async (id = account_id) => (await billing.show(id)).status;
  const setStatus = (wanted: 'active' | 'closed') => billing.setStatus({ account_id, status: wanted, actor: 'Grace' });
  const actions = async () => (await billing.actionsOf(account_id)).map(({ action }) => action);
  const record = (strikes: number, recordedAtUs: number, liftedAtUs: number | null = null, id = account_id) =>
    moderation.get(FakeModeration).standings.set(id, {
      ...{ account_id: id, strikes, window_days: 30, limit: 5 },
      ...{ recorded_at_us: recordedAtUs, lifted_at_us: liftedAtUs },
    });
  /** Delivers the event of the last strike. */
  const recordStrikes = (strikes: number, counted_at_us: number) => {
    const counted = { account_id, strikes, window_days: 30, limit: 5, counted_at_us };
    return billing.get(ApplyStrikes).suspend({ strike_id: uuidv7(), job_id: uuidv7(), ...counted }, uuidv7());
  };

  const reserveJobs = async (count: number): Promise<string[]> => {
    await billing.setLimits({ account_id, max_concurrent_jobs: count });
    const ids = Array.from({ length: count }, () => uuidv7());
    await Promise.all(ids.map((job_id) => billing.reserve({ account_id, job_id, amount_micros: 0 })));
    return ids;
  };

  it('has every job with an open hold canceled at a suspension, and again until all are', async () => {
    const ids = await reserveJobs(120);
    const other = await openAccount();
    await billing.reserve({ account_id: other, job_id: uuidv7(), amount_micros: 0 });
    const { canceled, heldBack } = jobs.get(FakeJobs);
    heldBack.add(ids[70] as string);
    const strike = { strike_id: uuidv7(), account_id, job_id: uuidv7(), strikes: 5, window_days: 30, limit: 5 };
    const deliver = () => billing.get(ApplyStrikes).suspend({ ...strike, counted_at_us: 100 }, strike.strike_id);

    await expect(deliver()).rejects.toThrow('1 jobs of the suspended account');
    heldBack.clear();
    await deliver();

    expect([...new Set(canceled)].sort()).toEqual([...ids].sort());
  });

  it('has the jobs canceled also where the event was lost, and none of an account that was activated', async () => {
    const [id] = await reserveJobs(1);
    record(5, 100);
    await reconcile();
    expect(jobs.get(FakeJobs).canceled).toContain(id);
    const canceled = jobs.get(FakeJobs).canceled.length;
    await setStatus('active');
    await reconcile();
    expect(jobs.get(FakeJobs).canceled).toHaveLength(canceled);
  });

  it('suspends for strikes whose events were lost, once', async () => {
    record(5, 100);
    await Promise.all([reconcile(), reconcile()]);
    await reconcile();
    expect(await status()).toBe('suspended');
    expect((await actions()).filter((action) => action === 'suspended_for_strikes')).toHaveLength(1);
  });

  it('reads every page', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, openAccount));
    for (const id of others) record(5, 100, null, id);
    await reconcile();
    expect(await Promise.all(others.map(status))).toEqual(others.map(() => 'suspended'));
  });

  it('does not change an account below the limit', async () => {
    record(4, 100);
    await reconcile();
    expect(await status()).toBe('active');
  });

  it('does not repeat a suspension that an operator has reversed', async () => {
    await recordStrikes(5, 101);
    await setStatus('active');
    record(5, 100);
    await reconcile();
    expect(await status()).toBe('active');
  });

  it('does not repeat its own suspension either, until there is another strike', async () => {
    record(5, 100);
    await reconcile();
    await setStatus('active');
    await reconcile();
    expect(await status()).toBe('active');
    record(6, 200);
    await reconcile();
    expect(await status()).toBe('suspended');
  });

  it('reverses a suspension for a lifted strike whose event was lost', async () => {
    await recordStrikes(5, 101);
    record(4, 100, 200);
    await reconcile();
    expect(await status()).toBe('active');
    expect((await actions())[0]).toBe('reinstated_after_lifted_strike');
  });

  it('keeps a suspension whose strikes have expired', async () => {
    await recordStrikes(5, 101);
    record(1, 200, 50);
    await reconcile();
    expect(await status()).toBe('suspended');
  });

  it('makes a late event of a reconciled standing change nothing', async () => {
    await recordStrikes(5, 101);
    record(4, 100, 300);
    await reconcile();
    await recordStrikes(5, 102);
    expect(await status()).toBe('active');
  });
});
