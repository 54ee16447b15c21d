import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Database, type Queryable, statement } from '@kinora/database';
import type { BlockedVerdict, PassedVerdict } from '../gate/gate';

/** Whose content was judged, and at which gate. */
export interface JudgedJob {
  account_id: string;
  job_id: string;
  stage: 'input' | 'output';
}

const INSERT = statement(
  'decision_insert',
  `INSERT INTO decision (id, account_id, job_id, stage, verdict, engine, reason, content_sha256)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/** What the gate decided, for good: hashes of the content and the reason, never the content. */
@Injectable()
export class DecisionRepository {
  constructor(private readonly database: Database) {}

  /** @returns the id of the decision. */
  async record(
    { account_id, job_id, stage }: JudgedJob,
    verdict: PassedVerdict | BlockedVerdict,
    on: Queryable = this.database,
  ): Promise<string> {
    const id = uuidv7();
    const { engine, reason } = verdict.outcome === 'blocked' ? verdict.objection : { engine: null, reason: null };
    const values = [id, account_id, job_id, stage, verdict.outcome, engine, reason, verdict.contentSha256];
    await on.execute(INSERT, values);
    return id;
  }
}
