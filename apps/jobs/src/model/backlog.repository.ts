import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';

/** How many jobs wait for a model, at a moment of the database's clock. */
export interface BacklogCount {
  at_ms: number;
  waiting: number;
  /** How many of them were already waiting at the previous count. */
  still_waiting: number;
}

const COUNT = statement(
  'backlog_count',
  `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at_ms, count(*) AS waiting,
          count(*) FILTER (WHERE created_at <= to_timestamp($2::double precision / 1000)) AS still_waiting
     FROM job WHERE claimable_at IS NOT NULL AND model = $1`,
);

@Injectable()
export class BacklogRepository {
  constructor(private readonly database: Database) {}

  /** `sinceMs` is the time of the previous count. */
  async count(model: string, sinceMs: number): Promise<BacklogCount> {
    const count = await this.database.findOne<BacklogCount>(COUNT, [model, sinceMs]);
    if (!count) throw new Error('The statement that counts waiting jobs returned no row.');
    return count;
  }
}
