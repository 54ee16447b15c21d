import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { BusServer, PassThroughRpcFilter } from '@kinora/bus';
import type { ServiceConfig } from './config/service.config';
import { HealthServer } from './health/health.server';
import { Readiness } from './health/readiness';
import { NestLogger } from './logging/logger';
import { type ServiceDefinition, exitOnConfigError, prepareService } from './service';
import { stopOnSignals } from './stop-on-signals';
import { markStarted } from './started';

/** Runs a context that answers on the bus, until a signal stops it. */
export async function runService<Config extends ServiceConfig>(definition: ServiceDefinition<Config>): Promise<void> {
  const service = await prepareService(definition);
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(service.rootModule, {
    strategy: new BusServer(service.connection, definition.name, service.logger),
    logger: new NestLogger(service.logger),
    abortOnError: false,
  }).catch(exitOnConfigError);
  app.useGlobalFilters(new PassThroughRpcFilter());
  stopOnSignals(app, service);
  await app.listen();
  app.get(Readiness).markServing();
  markStarted();
  service.logger.info({ health_port: app.get(HealthServer).port }, 'service_started');
}
