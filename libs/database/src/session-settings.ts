import type { ClientBase } from 'pg';

/** The way to PostgreSQL: direct, or through a pooler that keeps a server connection for a session or for a transaction only. */
export type Pooler = 'none' | 'session' | 'transaction';

/** No statement of a request may take longer. */
export const STATEMENT_TIMEOUT_MS = 10_000;
export const LOCK_TIMEOUT_MS = 5_000;
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/**
 * A connection keeps the plan of a prepared statement, also one made while the table was nearly empty. A sequential scan is the
 * cheapest plan then, and would stay in use when the table has grown. Every statement has an index it can use. One generic plan
 * serves all values. By default the planner finds that batches are shorter than its estimate and that the generic plan costs
 * too much. It then plans each run anew, which takes longer than the run.
 */
export const PLANNING = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
};

/**
 * What every session of a context has. The role has these settings, because a pooler refuses or drops those that a client sends
 * when it connects; `deploy/helm/kinora/files/postgres/contexts.sql` lists the same ones.
 */
export const ROLE_SETTINGS: Readonly<Record<string, string>> = {
  statement_timeout: '10s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '10s',
  ...PLANNING,
};

/** Settings that are absent or wrong in a session. */
const FIND_DIFFERING = `
  SELECT name, current_setting(name) AS value FROM jsonb_each_text($1::jsonb) AS wanted (name, value)
   WHERE current_setting(name) <> wanted.value ORDER BY name`;

/**
 * Ends the start of a service whose sessions lack a limit, or whose prepared statements would fail at some later time.
 * @throws Error that says what to change.
 */
export async function assertSessionUsable(client: ClientBase, pooler: Pooler): Promise<void> {
  if (pooler === 'none' && (await leadsToPooler(client)))
    throw new Error(
      'DATABASE_URL leads to a pooler, where prepared statements may fail: set DATABASE_POOLER to transaction or session, whichever its pool_mode is, or connect directly.',
    );
  const { rows } = await client.query<{ name: string; value: string }>(FIND_DIFFERING, [JSON.stringify(ROLE_SETTINGS)]);
  if (rows.length === 0) return;
  const found = rows.map(({ name, value }) => `${name} is ${value} instead of ${ROLE_SETTINGS[name]}`).join(', ');
  throw new Error(
    `The session lacks its limits: ${found}. A pooler has dropped them: give them to the role by ALTER ROLE … SET, as deploy/helm/kinora/files/postgres/contexts.sql does.`,
  );
}

/**
 * A pooler gives the client a key of its own to cancel by, where PostgreSQL gives the number of the process that serves it. A
 * TCP proxy changes neither.
 */
export async function leadsToPooler(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== (client as ClientBase & { processID: number | null }).processID;
}
