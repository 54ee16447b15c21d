import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { type DataSourceOptions, createDataSource } from './data-source';
import { isConnectionLost } from './database-error';

/** A server that starts together with us, or a processor too busy to take its answer in time, is no reason to die. */
const CONNECT_WITHIN_MS = 15_000;
const RETRY_MS = 250;

/** Connects at boot. A login that is refused is told at once: waiting would not mend it. */
export async function connect(options: DataSourceOptions): Promise<DataSource> {
  const giveUpAtMs = performance.now() + CONNECT_WITHIN_MS;
  for (;;) {
    try {
      return await createDataSource(options).initialize();
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() > giveUpAtMs) throw error;
      await delay(RETRY_MS);
    }
  }
}
