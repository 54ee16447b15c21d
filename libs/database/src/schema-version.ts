import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@kinora/service-kit';
import { DatabaseError } from 'pg';
import type { Migration } from './data-source';
import type { Queryable } from './database';
import { statement } from './statement';

/** Finds missing migrations only. Additional ones in the schema are fine, because a newer release may run beside this one. */
const FIND_MISSING = statement(
  'migration_find_missing',
  `SELECT wanted.name FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place)
    WHERE NOT EXISTS (SELECT FROM migration WHERE migration.name = wanted.name) ORDER BY place`,
);
const UNDEFINED_TABLE = '42P01';
const POLL_INTERVAL_MS = 500;

/** Whether the schema has the migrations that this build requires. */
export class SchemaVersion {
  private readonly wanted: string[];
  private reported = '';

  constructor(
    private readonly database: Queryable,
    migrations: Migration[],
    private readonly logger: Logger,
  ) {
    this.wanted = migrations.map((migration) => new migration().name ?? migration.name);
  }

  /** Waits until the migrations have run, as for a broker that is not up yet: work on an older schema could only fail. */
  async reached(): Promise<void> {
    while (!(await this.isReached())) await delay(POLL_INTERVAL_MS);
  }

  /** @throws Error while the schema is behind; only the log names the missing migrations. */
  async assertReached(): Promise<void> {
    if (!(await this.isReached())) throw new Error('the schema is behind');
  }

  private async isReached(): Promise<boolean> {
    const missing = await this.findMissing();
    const report = missing.join();
    if (report !== this.reported && missing.length > 0) this.logger.error({ missing }, 'schema_behind');
    this.reported = report;
    return missing.length === 0;
  }

  private async findMissing(): Promise<string[]> {
    try {
      const rows = await this.database.query<{ name: string }>(FIND_MISSING, [this.wanted]);
      return rows.map(({ name }) => name);
    } catch (error) {
      if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return this.wanted;
      throw error;
    }
  }
}
