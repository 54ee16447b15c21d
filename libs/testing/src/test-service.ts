import type { ModuleMetadata, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { BusServer, connectNats, PassThroughRpcFilter } from '@kinora/bus';
import { type Clock, KitModule, Readiness, ServiceConfig } from '@kinora/service-kit';
import { createTestLog, type TestLog } from './test-bus';
import { testNatsUrl } from './test-servers.config';

export interface TestServiceOptions extends ModuleMetadata {
  /** The context's name, which is also its queue group. */
  name: string;
  /** Needed if a provider injects it. */
  config?: ServiceConfig;
  /** Another broker than the one shared by all specs. */
  natsUrl?: string;
  clock?: Clock | undefined;
}

export interface TestService {
  get: <Provider>(type: Type<Provider>) => Provider;
  log: TestLog;
  close: () => Promise<void>;
}

/**
 * Runs controllers and modules as `runService` does, inside the test: the context under test, or a stand-in for one that it
 * calls. Specs run in parallel, so a spec that implements contracts of a real context uses its own broker (`TestBroker`).
 */
export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const { name, config = new ServiceConfig(), natsUrl = testNatsUrl(), clock, ...parts } = options;
  const log = createTestLog();
  const connection = await connectNats({ url: natsUrl, name, logger: log.logger });
  const kit = KitModule.forService(config, log.logger, connection, clock);
  const root = { module: class TestServiceModule {}, ...parts, imports: [kit, ...(parts.imports ?? [])] };
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(root, {
    strategy: new BusServer(connection, name, log.logger),
    logger: false,
    abortOnError: false,
  }).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    await app.close();
    await connection.close();
  };
  app.useGlobalFilters(new PassThroughRpcFilter());
  try {
    await app.listen();
  } catch (error) {
    await close();
    throw error;
  }
  app.get(Readiness).markServing();
  let closed: Promise<void> | undefined;
  return {
    get: (type) => app.get(type, { strict: false }),
    log,
    // A spec that does not await the close of a service closes it again at its end, perhaps while it is still closing.
    close: () => (closed ??= close()),
  };
}

/**
 * Closes the parts of a fixture in order, all of them even if one fails: a server that stays open keeps jest's worker alive
 * after its last spec.
 * @throws the first error
 */
export async function closeAll(closing: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closing) await close().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
