import type { Database } from './database';
import { statement } from './statement';

/**
 * Identifies one run of a PostgreSQL server, from its start or its last crash recovery on. A recovery resets the statistics of
 * the server, also where the postmaster has survived, so its new run has another time there. Other servers, also a copy or a
 * promoted standby, have other times. Any role may read both times. `pg_stat_reset_shared('bgwriter')` begins a new run as well.
 */
export const SERVER_RUN = `(SELECT concat_ws('/', extract(epoch FROM pg_postmaster_start_time()),
                                     extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time())))`;

const READ = statement('server_run_read', `SELECT ${SERVER_RUN} AS run`);

/**
 * A condition that is always true, and makes the transaction of its statement commit asynchronously (`synchronous_commit =
 * off`) if it executes in the given run. A later synchronous commit of the same run flushes the whole write-ahead log up to
 * itself, and so this transaction too. Any other run, or null, leaves the commit as it is configured.
 * @param parameter of type text, for example `$5`; see `sharedRun`.
 */
export function commitAsyncIn(parameter: string): string {
  return `(SELECT CASE WHEN ${parameter}::text = ${SERVER_RUN} THEN set_config('synchronous_commit', 'off', true) ELSE '' END)
            IS NOT NULL`;
}

/** The run that all items of a batch name, or null: a batch with an item that must be flushed commits synchronously. */
export function sharedRun(items: readonly { server_run?: string }[]): string | null {
  const run = items[0]?.server_run;
  return run !== undefined && items.every(({ server_run }) => server_run === run) ? run : null;
}

/** The current run of a service's own server. */
export class ServerRun {
  private cached: Promise<string> | undefined;
  private lostBefore = 0;

  constructor(private readonly database: Database) {}

  /** The run, as it was when it was last read. A statement that depends on it compares it with `SERVER_RUN`. */
  current(): Promise<string> {
    // The server closes idle connections when it ends or recovers from a crash.
    if (this.database.lostConnections !== this.lostBefore) this.forget();
    this.cached ??= this.read();
    return this.cached;
  }

  /** Reads the run again before its next use. */
  forget(): void {
    this.lostBefore = this.database.lostConnections;
    this.cached = undefined;
  }

  private async read(): Promise<string> {
    try {
      const [row] = await this.database.query<{ run: string }>(READ);
      if (!row) throw new Error('PostgreSQL has not answered with its run.');
      return row.run;
    } catch (error) {
      this.forget();
      throw error;
    }
  }
}
