import type { ModuleMetadata, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { BusModule, BusServer, PassThroughRpcFilter, connectNats } from '@kinora/bus';
import { LOGGER, Readiness } from '@kinora/service-kit';
import { type TestLog, createTestLog } from './test-log';
import { testNatsUrl } from './test-servers.config';

export interface TestServiceOptions extends ModuleMetadata {
  /** The context's name, which is also its queue group. */
  name: string;
  /** Another broker than the one that all specs share. */
  natsUrl?: string;
}

export interface TestService {
  get: <Provider>(type: Type<Provider>) => Provider;
  log: TestLog;
  close: () => Promise<void>;
}

/**
 * Runs controllers behind the real bus: the context under test, or a stand-in for one that it asks. Specs run side by side,
 * so one that answers contracts of a real context brings its own broker (`TestBroker`).
 */
export async function startTestService({
  name,
  natsUrl = testNatsUrl(),
  ...parts
}: TestServiceOptions): Promise<TestService> {
  const log = createTestLog();
  const connection = await connectNats({ url: natsUrl, name, logger: log.logger });
  const kit = {
    module: class TestKitModule {},
    global: true,
    imports: [BusModule.forConnection(connection, log.logger)],
    providers: [{ provide: LOGGER, useValue: log.logger }, Readiness],
    exports: [LOGGER, Readiness],
  };
  const root = { module: class TestServiceModule {}, ...parts, imports: [kit, ...(parts.imports ?? [])] };
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(root, {
    strategy: new BusServer(connection, name, log.logger),
    logger: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new PassThroughRpcFilter());
  await app.listen();
  return {
    get: (type) => app.get(type, { strict: false }),
    log,
    close: async () => {
      await app.close();
      await connection.close();
    },
  };
}
