import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { BusServer, closeConnection, PassThroughRpcFilter } from '@kinora/bus';
import type { ServiceConfig } from './config/service.config';
import { HealthServer } from './health/health.server';
import { Readiness } from './health/readiness';
import { NestLogger } from './logging/logger';
import { exitOnConfigError, type PreparedService, prepareService, type ServiceDefinition } from './service';
import { markStarted } from './started';

/**
 * Graceful shutdown on SIGTERM and SIGINT: readiness fails first, so that load balancers stop routing to the process. The
 * process then accepts no new work, finishes its work under way, and closes the connection to the broker.
 * @param goOnServingMs time that load balancers need to notice; the broker needs none.
 */
export function stopOnSignals(
  app: INestApplicationContext,
  service: PreparedService<ServiceConfig>,
  goOnServingMs = 0,
): void {
  const { config, logger, connection, stopTracing } = service;
  const readiness = app.get(Readiness);
  const giveUp = (): never => {
    logger.error({ drain_seconds: config.drainSeconds }, 'service_drain_overdue');
    process.exit(1);
  };
  const stop = async (signal: string): Promise<void> => {
    if (readiness.isStopping) return;
    logger.info({ signal }, 'service_stopping');
    // A service that still waits for a dependency at its start has no work to finish, and the wait cannot be canceled.
    if (readiness.isStarting) process.exit(0);
    readiness.markStopping();
    await delay(goOnServingMs);
    setTimeout(giveUp, config.drainSeconds * 1_000).unref();
    await app.close();
    await closeConnection(connection);
    await stopTracing();
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}

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
