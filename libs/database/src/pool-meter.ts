import type { DataSource } from 'typeorm';
import { poolConnections, poolSize, poolWaiting } from './database.metrics';
import { poolOf } from './pool-of';

/** Exports the use of a service's connection pool. */
export function meterPool(dataSource: DataSource): void {
  const pool = poolOf(dataSource);
  poolConnections.readBy({ state: 'in_use' }, () => pool.totalCount - pool.idleCount);
  poolConnections.readBy({ state: 'idle' }, () => pool.idleCount);
  poolSize.readBy({}, () => pool.options.max);
  poolWaiting.readBy({}, () => pool.waitingCount);
}
