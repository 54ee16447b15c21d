import { createHash } from 'node:crypto';
import type { INestApplicationContext, OnModuleDestroy, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Bus } from '@kinora/bus';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type Database, GaugeSampler, statement } from '@kinora/database';
import { Clock, DatabaseServiceConfig, LOGGER, Readiness, SYSTEM_CLOCK, createLogger } from '@kinora/service-kit';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import type {
  AccountDetails,
  CreateAccountRequest,
  CreateKeyRequest,
  CreatedAccount,
  CreatedKey,
  SetLimitsRequest,
  SetStatusRequest,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type { HoldEnd, Reservation, ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import type { OperatorAction } from '@kinora/contracts/billing/operator-action';
import { AlertWatch, Checkouts, LedgerSums, Reversals, StandingsReconciler } from '../src/background/billing-loops';
import { BillingPruner } from '../src/background/billing-pruner';
import { EmailSender } from '../src/background/email-sender';
import { HUMAN_RATE_ENTITIES } from '../src/storage.module';
import { BillingConfig } from '../src/billing.config';
import { BillingModule } from '../src/billing.module';
import { migrations } from '../src/migrations/migrations';
import { ChangeAccount } from '../src/use-cases/change-account.use-case';
import { CreateAccount } from '../src/use-cases/create-account.use-case';
import { CreateKey } from '../src/use-cases/create-key.use-case';
import { Capture, Refund } from '../src/use-cases/end-hold.use-case';
import { ShowAccount } from '../src/use-cases/get-account.query';
import { ListRecords } from '../src/use-cases/list-records.query';
import { Reserve } from '../src/use-cases/reserve.use-case';
import { VerifyLedger } from '../src/use-cases/verify-ledger.use-case';

/** More than the connections of the pool, so that statements also queue; fewer than would make the queue time out. */
const AT_ONCE = 64;

interface TestTimes {
  /** At which SQL's clock stands still. */
  now?: string;
  /** Of all new rows of a table. */
  createdAt?: Partial<Record<'hold' | 'ledger_entry' | 'payment', Date>>;
}

export type BillingBus = Pick<Bus, 'request' | 'signal'>;

/**
 * The loops that begin a round at the start. They end before the test begins, on an empty database: at any later moment, which
 * the load of the machine decides, they would sum up, verify or delete what a test has half written.
 */
const BACKGROUND: Type<OnModuleDestroy>[] = [
  ...[GaugeSampler, LedgerSums, BillingPruner, StandingsReconciler, EmailSender],
  ...[AlertWatch, Checkouts, Reversals],
];

/** A bus without subscribers, as at a start without a broker. */
const NO_BUS: BillingBus = {
  request: () => Promise.reject(ApiError.unavailable('The bus')),
  signal: () => undefined,
};

/** The providers that `runService` gives to the module, for the test's own database. */
export function billingKit(databaseUrl: string, settings: Partial<BillingConfig> = {}, bus = NO_BUS) {
  const required = { databaseUrl, keyPepper: 'thirty-two characters of pepper!' };
  const config = Object.assign(new BillingConfig(), required, settings);
  return {
    module: class BillingKitModule {},
    global: true,
    providers: [
      { provide: BillingConfig, useValue: config },
      { provide: DatabaseServiceConfig, useValue: config },
      { provide: LOGGER, useValue: createLogger('billing', 'silent') },
      { provide: Bus, useValue: bus },
      { provide: Clock, useValue: SYSTEM_CLOCK },
      Readiness,
    ],
    exports: [Bus, BillingConfig, Clock, DatabaseServiceConfig, LOGGER, Readiness],
  };
}

/** Billing with its own database, for the specs of one file or one `describe`. */
export class TestBilling {
  private app: INestApplicationContext | undefined;
  private testDatabase: TestDatabase | undefined;

  constructor(
    private readonly settings: () => Partial<BillingConfig>,
    private readonly bus: () => BillingBus,
    private readonly times: TestTimes = {},
  ) {}

  /** Another process of the same billing. */
  static async beside(first: TestBilling, settings: () => Partial<BillingConfig>): Promise<TestBilling> {
    const replica = new TestBilling(settings, () => NO_BUS);
    await replica.start(first.get(BillingConfig).databaseUrl);
    return replica;
  }

  get database(): Database {
    if (!this.testDatabase) throw new Error('Billing is open within hooks and tests only.');
    return this.testDatabase.database;
  }

  /** Of its background work, only recharges go on. */
  async open(): Promise<void> {
    this.testDatabase = await createTestDatabase('billing', migrations, HUMAN_RATE_ENTITIES);
    await this.fixTimes();
    await this.start(this.testDatabase.url);
  }

  /** Before the service connects, which prepares statements, and whose maintenance locks the tables. */
  private async fixTimes(): Promise<void> {
    const { now, createdAt = {} } = this.times;
    if (now) await this.setNow(now);
    for (const [table, time] of Object.entries(createdAt)) {
      const sql = `ALTER TABLE ${table} ALTER created_at SET DEFAULT '${time.toISOString()}'`;
      await this.database.execute(statement('', sql));
    }
  }

  /** Of billing that opened with a time. */
  async setNow(time: string): Promise<void> {
    await this.testDatabase?.setNow(time);
  }

  private async start(databaseUrl: string): Promise<void> {
    const kit = billingKit(databaseUrl, this.settings(), this.bus());
    const root = { module: class BillingSpecModule {}, imports: [kit, BillingModule] };
    this.app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    for (const loops of BACKGROUND) await this.get<OnModuleDestroy>(loops).onModuleDestroy();
  }

  async close(): Promise<void> {
    await this.app?.close();
    await this.testDatabase?.close();
  }

  get<Provider>(type: Type<Provider>): Provider {
    if (!this.app) throw new Error('Billing is open within hooks and tests only.');
    return this.app.get(type);
  }

  /** A reserve by itself. Those that are made together share a statement. */
  reserve(request: ReserveRequest): Promise<Reservation> {
    return this.get(Reserve).execute(request);
  }

  capture(job_id: string): Promise<HoldEnd> {
    return this.get(Capture).execute({ job_id });
  }

  refund(job_id: string): Promise<HoldEnd> {
    return this.get(Refund).execute({ job_id });
  }

  createAccount(request: Partial<CreateAccountRequest> = {}): Promise<CreatedAccount> {
    return this.get(CreateAccount).execute({ name: 'test', ...request });
  }

  show(account_id: string): Promise<AccountDetails> {
    return this.get(ShowAccount).execute({ account_id });
  }

  createKey(request: CreateKeyRequest): Promise<CreatedKey> {
    return this.get(CreateKey).execute(request);
  }

  setStatus(request: SetStatusRequest): Promise<AccountDetails> {
    return this.get(ChangeAccount).setStatus(request);
  }

  setLimits(request: SetLimitsRequest): Promise<AccountDetails> {
    return this.get(ChangeAccount).setLimits(request);
  }

  async actionsOf(account_id: string): Promise<OperatorAction[]> {
    return (await this.get(ListRecords).listActions({ account_id })).data;
  }
}

interface BillingOptions extends TestTimes {
  bus?: () => BillingBus;
  damagesLedger?: boolean;
}

/**
 * Opens billing before the specs and closes it after them. At the end the ledger must be sound, unless the specs damage it.
 * Functions are called when billing opens. Without a bus, no other context is reached.
 */
export function useBilling(
  settings: Partial<BillingConfig> | (() => Partial<BillingConfig>) = {},
  { bus = () => NO_BUS, damagesLedger = false, ...times }: BillingOptions = {},
): TestBilling {
  const billing = new TestBilling(typeof settings === 'function' ? settings : () => settings, bus, times);
  beforeAll(() => billing.open());
  afterAll(async () => {
    if (!damagesLedger) expect((await billing.get(VerifyLedger).execute({ full: true })).violations).toEqual([]);
  });
  afterAll(() => billing.close());
  return billing;
}

/** Runs the work many times in parallel. @returns for each run its value or the code of its error */
export async function runConcurrently<Value>(
  count: number,
  work: (index: number) => Promise<Value>,
): Promise<(Value | string)[]> {
  const outcomes: (Value | string)[] = [];
  let next = 0;
  const workOn = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++)
      outcomes[index] = await work(index).catch((error: Error & { code?: string }) => error.code ?? error.message);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workOn));
  return outcomes;
}

/** By which a request proves a key. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function countByOutcome(outcomes: unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const name = typeof outcome === 'string' ? outcome : JSON.stringify(outcome);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
