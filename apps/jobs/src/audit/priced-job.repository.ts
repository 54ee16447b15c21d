import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import { NIL } from 'uuid';
import type { PricedJob } from './hold-audit';

const COLUMNS = 'id, account_id, status, price_micros';

const LIST = statement('job_list_priced', `SELECT ${COLUMNS} FROM job WHERE id > $1 ORDER BY id LIMIT $2`);
const FIND = statement('job_find_priced', `SELECT ${COLUMNS} FROM job WHERE id = ANY($1::uuid[])`);

/** Reads the price and the status of jobs, for the audit of holds. */
@Injectable()
export class PricedJobRepository {
  constructor(private readonly database: Database) {}

  list(afterJobId: string | null, limit: number): Promise<PricedJob[]> {
    return this.database.query<PricedJob>(LIST, [afterJobId ?? NIL, limit]);
  }

  find(jobIds: string[]): Promise<PricedJob[]> {
    return this.database.query<PricedJob>(FIND, [jobIds]);
  }
}
