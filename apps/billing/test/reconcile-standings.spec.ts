import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type AccountStanding,
  type StandingsPage,
  type StandingsRequest,
  standingsRpc,
} from '@kinora/contracts/moderation/standings.rpc';
import { TestBroker, type TestBus, type TestService, connectTestBus, startTestService } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { useBilling } from './billing.fixtures';
import { ApplyStrikes, ReconcileStandings } from '../src/use-cases/apply-strikes.use-case';

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
  let client: TestBus;
  let account_id: string;

  beforeAll(async () => {
    broker = await TestBroker.start();
    moderation = await startTestService({
      name: 'moderation',
      natsUrl: broker.url,
      controllers: [FakeModeration],
    });
    client = await connectTestBus(broker.url);
  });
  const billing = useBilling({}, { bus: () => client.bus });
  afterAll(async () => {
    await client.close();
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
  /** The records of moderation. */
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
