import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Database, type Queryable, SetStatement, statement } from '@kinora/database';
import type { BlockedVerdict, PassedVerdict } from '../gate/gate';

/** Whose content was judged, and at which gate. */
export interface JudgedJob {
  account_id: string;
  job_id: string;
  stage: 'input' | 'output';
}

interface DecisionRow extends JudgedJob {
  id: string;
  verdict: 'passed' | 'blocked';
  engine: string | null;
  reason: string | null;
  content_sha256: readonly string[];
}

/** The hashes of one decision arrive as one text: an array of arrays of different lengths is none. */
const INSERT = statement(
  'decision_insert',
  `INSERT INTO decision (id, account_id, job_id, stage, verdict, engine, reason, content_sha256)
   SELECT id, account_id, job_id, stage, verdict, engine, reason, string_to_array(content_sha256, ' ')
   FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
     AS decided (id, account_id, job_id, stage, verdict, engine, reason, content_sha256)`,
);

/** What the gate decided, for good: hashes of the content and the reason, never the content. */
@Injectable()
export class DecisionRepository {
  private readonly inserts: SetStatement<DecisionRow, void>;

  constructor(private readonly database: Database) {
    this.inserts = new SetStatement({
      run: (rows) => this.insert(this.database, rows),
      fairBy: ({ account_id }) => account_id,
    });
  }

  /** @returns the id of the decision. */
  async record(judged: JudgedJob, verdict: PassedVerdict | BlockedVerdict): Promise<string> {
    const row = toRow(judged, verdict);
    await this.inserts.run(row);
    return row.id;
  }

  /** @returns the id of the decision. */
  async recordWithin(
    transaction: Queryable,
    judged: JudgedJob,
    verdict: PassedVerdict | BlockedVerdict,
  ): Promise<string> {
    const row = toRow(judged, verdict);
    await this.insert(transaction, [row]);
    return row.id;
  }

  private async insert(on: Queryable, rows: DecisionRow[]): Promise<void[]> {
    await on.execute(INSERT, [
      rows.map(({ id }) => id),
      rows.map(({ account_id }) => account_id),
      rows.map(({ job_id }) => job_id),
      rows.map(({ stage }) => stage),
      rows.map(({ verdict }) => verdict),
      rows.map(({ engine }) => engine),
      rows.map(({ reason }) => reason),
      rows.map(({ content_sha256 }) => content_sha256.join(' ')),
    ]);
    return rows.map(() => undefined);
  }
}

function toRow({ account_id, job_id, stage }: JudgedJob, verdict: PassedVerdict | BlockedVerdict): DecisionRow {
  const { engine, reason } = verdict.outcome === 'blocked' ? verdict.objection : { engine: null, reason: null };
  const id = uuidv7();
  return {
    id,
    account_id,
    job_id,
    stage,
    verdict: verdict.outcome,
    engine,
    reason,
    content_sha256: verdict.contentSha256,
  };
}
