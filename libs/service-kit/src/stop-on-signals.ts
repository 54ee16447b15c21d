import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { closeConnection } from '@kinora/bus';
import type { ServiceConfig } from './config/service.config';
import { Readiness } from './health/readiness';
import type { PreparedService } from './service';

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
