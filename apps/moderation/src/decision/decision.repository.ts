import { Injectable } from '@nestjs/common';
import { Database, type Queryable, BatchedStatement, commitAsyncIn, sharedRun, statement } from '@kinora/database';
import type { PassedContent, PassedDecisionId } from '@kinora/contracts/moderation/decision';
import type { BlockedVerdict, PassedVerdict } from '../gate/gate';
import { type DecisionRow, type ScreenedJob, toDecisionRow } from './decision.row';

/** The hashes of one decision are joined into one text, because PostgreSQL has no array of arrays of different lengths. */
const INSERT = statement(
  'decision_insert',
  `INSERT INTO decision (id, account_id, job_id, stage, verdict, engine, reason, content_sha256, texts, policy_version,
                         engines, findings)
   SELECT id, account_id, job_id, stage, verdict, engine, reason, string_to_array(content_sha256, ' '), texts,
          policy_version, engines::json, findings::json
   FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
               $9::integer[], $10::text[], $11::text[], $12::text[])
     AS decided (id, account_id, job_id, stage, verdict, engine, reason, content_sha256, texts, policy_version, engines,
                 findings)
   WHERE ${commitAsyncIn('$13')}`,
);

/** Writes the decisions of the gate: hashes of the content and the findings, never the content. */
@Injectable()
export class DecisionRepository {
  private readonly inserts: BatchedStatement<DecisionRow & { server_run?: string }, void>;

  constructor(private readonly database: Database) {
    this.inserts = new BatchedStatement({
      run: (rows) => this.insert(this.database, rows, sharedRun(rows)),
      fairBy: ({ account_id }) => account_id,
    });
  }

  /**
   * The returned id and hashes prove that this content passed; only a `PassedVerdict` of the gate can be recorded here.
   * @param serverRun the run in which the decision need not be flushed, because a later commit of its job flushes it.
   */
  async recordPassed(judged: ScreenedJob, verdict: PassedVerdict, serverRun?: string): Promise<PassedContent> {
    const row = toDecisionRow(judged, verdict);
    await this.inserts.run(serverRun === undefined ? row : { ...row, server_run: serverRun });
    return { decision_id: row.id as PassedDecisionId, content_sha256: [...row.content_sha256] };
  }

  /** Always flushed. @returns the id of the decision. */
  async recordBlocked(on: Queryable, judged: ScreenedJob, verdict: BlockedVerdict): Promise<string> {
    const row = toDecisionRow(judged, verdict);
    await this.insert(on, [row], null);
    return row.id;
  }

  private async insert(on: Queryable, rows: DecisionRow[], serverRun: string | null): Promise<void[]> {
    await on.execute(INSERT, [
      rows.map(({ id }) => id),
      rows.map(({ account_id }) => account_id),
      rows.map(({ job_id }) => job_id),
      rows.map(({ stage }) => stage),
      rows.map(({ verdict }) => verdict),
      rows.map(({ engine }) => engine),
      rows.map(({ reason }) => reason),
      rows.map(({ content_sha256 }) => content_sha256.join(' ')),
      rows.map(({ texts }) => texts),
      rows.map(({ policy_version }) => policy_version),
      rows.map(({ engines }) => JSON.stringify(engines)),
      rows.map(({ findings }) => JSON.stringify(findings)),
      serverRun,
    ]);
    return rows.map(() => undefined);
  }
}
