import type { ClientBase, Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { ReadOnlyServerError } from './database-error';
import { poolConnections, poolSize, poolWaiting } from './database.metrics';

const READ_WHETHER_WRITABLE = 'SHOW transaction_read_only';
/** A server that accepts a connection and then hangs must not hold the caller for longer than a refused connection does. */
const ANSWER_WITHIN_MS = 3_000;
/** Connections that were opened together must not all be replaced together. */
const AGE_SPREAD = 0.3;

/**
 * Refuses a new connection to a standby, or to a server that refuses writes, before a statement uses it. During a failover the
 * address of the database may still lead to such a server; the next connection then asks the address again.
 * @throws ReadOnlyServerError
 */
export async function assertWritable(client: ClientBase): Promise<void> {
  const query = { text: READ_WHETHER_WRITABLE, query_timeout: ANSWER_WITHIN_MS };
  const { rows } = await client.query<{ transaction_read_only: string }>(query);
  if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyServerError();
}

/**
 * Gives each connection of the pool its own maximum age, up to the configured one. An older connection is closed when it is idle;
 * one in use finishes first. The pool reads the option for each new connection.
 */
export function spreadMaxAges(pool: Pool): void {
  const longestSeconds = pool.options.maxLifetimeSeconds ?? 0;
  Object.defineProperty(pool.options, 'maxLifetimeSeconds', {
    get: () => longestSeconds * (1 - AGE_SPREAD * Math.random()),
  });
}

/** Closes the connections that are idle at this moment. */
export async function closeIdle(pool: Pool): Promise<void> {
  await Promise.allSettled(
    Array.from({ length: pool.idleCount }, async () => {
      const client = await pool.connect();
      client.release(true);
    }),
  );
}

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
