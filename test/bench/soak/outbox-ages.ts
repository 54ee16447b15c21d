import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

const EVERY_MS = 250;
/** Each context that publishes events has an outbox, in a schema of its own. */
const FIND = `SELECT quote_ident(table_schema) AS schema FROM information_schema.tables WHERE table_name = 'outbox'`;

/** Polls the age of the oldest unpublished event, over all contexts at once. */
export class OutboxAges {
  private agesMs: number[] = [];
  private stopping = false;
  private sampling: Promise<void> = Promise.resolve();
  private failure: Error | null = null;

  private constructor(
    private readonly database: Client,
    private readonly sample: string,
  ) {}

  static async watch(databaseUrl: string): Promise<OutboxAges> {
    const database = new Client({ connectionString: databaseUrl });
    await database.connect();
    const { rows } = await database.query<{ schema: string }>(FIND);
    const all = rows
      .map(({ schema }) => `SELECT min(created_at) AS created_at FROM ${schema}.outbox`)
      .join(' UNION ALL ');
    const sample = `SELECT coalesce(extract(epoch FROM clock_timestamp() - min(created_at)) * 1000, 0)::float8 AS age_ms
                    FROM (${all}) AS oldest`;
    const ages = new OutboxAges(database, sample);
    const fail = (error: Error): void => void (ages.failure = error);
    database.on('error', fail);
    ages.sampling = ages.sampleLoop().catch(fail);
    return ages;
  }

  /** The ages since the last call. @throws if a poll failed. */
  take(): number[] {
    if (this.failure) throw this.failure;
    const ages = this.agesMs;
    this.agesMs = [];
    return ages;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.sampling;
    await this.database.end();
  }

  private async sampleLoop(): Promise<void> {
    while (!this.stopping) {
      const { rows } = await this.database.query<{ age_ms: number }>({ name: 'bench_outbox_age', text: this.sample });
      this.agesMs.push(rows[0]?.age_ms ?? 0);
      await delay(EVERY_MS);
    }
  }
}
