import { WorkLoop } from '@kinora/service-kit';
import { DatabaseError, Pool, type PoolConfig, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { replicaLag } from './database.metrics';

const MEASURED_EVERY_MS = 500;
/** A standby that fails a statement, for example for lack of a right, is asked again after this time. */
const REST_MS = 10_000;
/** Five minutes of them: a standby that is further behind is not read anyway. */
const MAX_MARKS = 600;
/** The server has ended the statement after its time limit, and the primary would as well. */
const QUERY_CANCELED = '57014';

const WRITTEN = `SELECT (pg_current_wal_lsn() - '0/0')::bigint AS position`;
/** An address that leads to the primary shows all that is written. */
const REPLAYED = `
  SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - '0/0')::bigint AS position`;

type ReplicaState = 'close' | 'behind' | 'failed';

export interface ReplicaOptions {
  pool: PoolConfig;
  /** What the standby shows may be this old. */
  maxLagMs: number;
  onStateChange: (state: ReplicaState, reason?: string) => void;
}

/**
 * A standby that answers statements whose result may be some seconds old. Its lag is measured against the log of the primary, so
 * neither an idle primary nor a standby that lost its connection is mistaken for one that is up to date.
 */
export class Replica {
  private readonly pool: Pool;
  private readonly loop: WorkLoop;
  /** How far the log of the primary had been written at some times, the oldest first. */
  private readonly marks: { position: number; atMs: number }[] = [];
  /** The standby shows what was committed before this time. */
  private shownUntilMs = -Infinity;
  private state: ReplicaState = 'behind';
  private restsUntilMs = -Infinity;

  constructor(
    private readonly primary: Pick<Pool, 'query'>,
    private readonly options: ReplicaOptions,
  ) {
    this.pool = new Pool(options.pool);
    this.pool.on('error', () => undefined);
    this.loop = new WorkLoop({
      work: async () => {
        if (performance.now() >= this.restsUntilMs) await this.measure();
        return 'idle';
      },
      idleMs: MEASURED_EVERY_MS,
      onFailure: (error) => this.rest(error),
    });
    replicaLag.readBy({}, () => this.lagMs() / 1_000);
    this.loop.start();
  }

  /** Null where the standby is too far behind or fails: the primary has to answer then. */
  async run<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row> | null> {
    if (!this.isClose()) return null;
    try {
      return await this.pool.query<Row>(query);
    } catch (error) {
      if (error instanceof DatabaseError && error.code === QUERY_CANCELED) throw error;
      this.rest(error);
      return null;
    }
  }

  async close(): Promise<void> {
    await this.loop.stop();
    await this.pool.end();
  }

  private async measure(): Promise<void> {
    const atMs = performance.now();
    this.marks.push({ position: await positionOf(this.primary, WRITTEN), atMs });
    if (this.marks.length > MAX_MARKS) this.marks.shift();
    const replayed = await positionOf(this.pool, REPLAYED);
    const shown = this.marks.findLastIndex(({ position }) => position <= replayed);
    this.shownUntilMs = this.marks[shown]?.atMs ?? this.shownUntilMs;
    this.marks.splice(0, shown + 1);
    this.isClose();
  }

  private isClose(): boolean {
    const isClose = this.lagMs() <= this.options.maxLagMs;
    if (isClose) this.report('close');
    else if (this.state === 'close') this.report('behind');
    return isClose;
  }

  private rest(error: unknown): void {
    this.shownUntilMs = -Infinity;
    this.restsUntilMs = performance.now() + REST_MS;
    this.report('failed', String(error));
  }

  private report(state: ReplicaState, reason?: string): void {
    if (state === this.state) return;
    this.state = state;
    this.options.onStateChange(state, reason);
  }

  private lagMs(): number {
    return performance.now() - this.shownUntilMs;
  }
}

async function positionOf(pool: Pick<Pool, 'query'>, text: string): Promise<number> {
  const { rows } = await pool.query<{ position: number | string }>(text);
  return Number(rows[0]?.position);
}
