import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { Gauge, LiveGauge } from '@kinora/metrics';

export const poolConnections = new LiveGauge({
  name: 'kinora_database_connections',
  help: 'Connections that the pool of this process holds, by state: in_use or idle. DATABASE_POOL_SIZE limits their sum.',
  labelNames: ['state'],
});

export const poolSize = new LiveGauge({
  name: 'kinora_database_connections_max',
  help: 'Connections that the pool of this process may hold.',
  labelNames: [],
});

export const poolWaiting = new LiveGauge({
  name: 'kinora_database_waiting',
  help: 'Statements and transactions of this process that wait for a connection of its pool.',
  labelNames: [],
});

export const outboxEvents = new Gauge({
  name: 'kinora_outbox_events',
  help: 'Events that the broker has not acknowledged yet, counted up to 10,000.',
  aggregator: 'max',
});

export const outboxOldestAge = new Gauge({
  name: 'kinora_outbox_oldest_age_seconds',
  help: 'Age of the oldest event that the broker has not acknowledged; 0 where there is none.',
  aggregator: 'max',
});

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
