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

export const replicaLag = new LiveGauge({
  name: 'kinora_database_replica_lag_seconds',
  help: 'Age of what the replica of KINORA_DATABASE_REPLICA_URL shows. 0 without one.',
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

export const partitionDaysLeft = new Gauge({
  name: 'kinora_partition_days_left',
  help: 'Days until the last partition of a table ends. Maintenance keeps it above 90.',
  labelNames: ['table'],
  aggregator: 'max',
});

export const partitionDaysLate = new Gauge({
  name: 'kinora_partition_days_late',
  help: 'Days by which the oldest month of a table is late to close, or to be dropped.',
  labelNames: ['table'],
  aggregator: 'max',
});
