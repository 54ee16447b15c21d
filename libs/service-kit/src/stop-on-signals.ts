import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { closeConnection } from '@kinora/bus';
import type { ServiceConfig } from './config/service.config';
import { Readiness } from './health/readiness';
import type { PreparedService } from './service';

/**
 * Stops the service in order on SIGTERM and SIGINT: whoever routes to it learns first that it goes, then it takes nothing
 * new, finishes the old, and lets go of the broker.
 * @param goOnServingMs how long whoever routes needs to learn it; the broker knows at once.
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
    // What waits for a dependency before its first work has nothing to finish, and cannot be told to stop waiting.
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
