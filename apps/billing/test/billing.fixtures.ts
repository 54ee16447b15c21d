import type { OnModuleDestroy, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Bus } from '@kinora/bus';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type Database, GaugeSampler } from '@kinora/database';
import { DatabaseServiceConfig, LOGGER, Readiness, createLogger } from '@kinora/service-kit';
import { createTestDatabase } from '@kinora/testing';
import type { Reservation, ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import { LedgerHours, StandingsReconciler } from '../src/background/billing-loops';
import { BillingPruner } from '../src/background/billing-pruner';
import { HUMAN_RATE_ENTITIES } from '../src/billing-entities';
import { BillingConfig } from '../src/billing.config';
import { BillingModule } from '../src/billing.module';
import { migrations } from '../src/migrations/migrations';
import { Reserve } from '../src/use-cases/reserve.use-case';

/** More than the connections of the pool, so that statements also queue; fewer than would make the queue time out. */
const AT_ONCE = 64;

/** What billing uses of the bus. */
export type BillingBus = Pick<Bus, 'request' | 'signal'>;

/**
 * The loops that begin a round at the start. They end before the test begins, on an empty database: at any later moment, which
 * the load of the machine decides, they would sum up, verify or delete what a test has half written.
 */
const BACKGROUND: Type<OnModuleDestroy>[] = [GaugeSampler, LedgerHours, BillingPruner, StandingsReconciler];

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
      Readiness,
    ],
    exports: [Bus, BillingConfig, DatabaseServiceConfig, LOGGER, Readiness],
  };
}

export interface TestBilling {
  /** Returns a provider from the module. */
  get: <Provider>(type: Type<Provider>) => Provider;
  /** A reserve by itself. Those that are made together share a statement. */
  reserve: (request: ReserveRequest) => Promise<Reservation>;
  database: Database;
  close: () => Promise<void>;
}

/** Starts billing with its own database, and without a bus unless one is given. Of its background work, only recharges go on. */
export async function openBilling(settings: Partial<BillingConfig> = {}, bus?: BillingBus): Promise<TestBilling> {
  const { database, url, close } = await createTestDatabase('billing', migrations, HUMAN_RATE_ENTITIES);
  const root = { module: class BillingSpecModule {}, imports: [billingKit(url, settings, bus), BillingModule] };
  const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  for (const loops of BACKGROUND) await app.get<OnModuleDestroy>(loops).onModuleDestroy();
  const reserve: Reserve = app.get(Reserve);
  return {
    get: (type) => app.get(type),
    reserve: (request) => reserve.execute(request),
    database,
    close: async () => {
      await app.close();
      await close();
    },
  };
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

/** Counts the outcomes by name. */
export function countByOutcome(outcomes: unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const name = typeof outcome === 'string' ? outcome : JSON.stringify(outcome);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
