import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { poolConnections, poolSize, poolWaiting } from './database.metrics';

/** The pool that TypeORM has opened. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}

/** Exports the use of a service's connection pool. */
export function meterPool(dataSource: DataSource): void {
  const pool = poolOf(dataSource);
  poolConnections.readBy({ state: 'in_use' }, () => pool.totalCount - pool.idleCount);
  poolConnections.readBy({ state: 'idle' }, () => pool.idleCount);
  poolSize.readBy({}, () => pool.options.max);
  poolWaiting.readBy({}, () => pool.waitingCount);
}
