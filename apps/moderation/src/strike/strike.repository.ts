import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type Queryable, statement } from '@kinora/database';

const INSERT = statement(
  'strike_insert',
  `INSERT INTO strike (id, account_id, job_id, decision_id) VALUES ($1, $2, $3, $4)
   ON CONFLICT (job_id) DO NOTHING`,
);

export interface Strike {
  account_id: string;
  job_id: string;
  decision_id: string;
}

/** One strike for each job whose output was blocked, however often the gate was asked about it. */
@Injectable()
export class StrikeRepository {
  async record(transaction: Queryable, { account_id, job_id, decision_id }: Strike): Promise<void> {
    await transaction.execute(INSERT, [uuidv7(), account_id, job_id, decision_id]);
  }
}
