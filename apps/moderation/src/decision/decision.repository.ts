import { Injectable } from '@nestjs/common';
import { BatchedStatement, Database, type Queryable, inGivenMonths, statement } from '@kinora/database';
import type { PassedContent, PassedDecisionId } from '@kinora/contracts/moderation/moderation.rpc';
import type { BlockedVerdict, PassedVerdict } from '../gate/gate';
import { hasYoungContext } from '../text/text-rules.engine';
import { decisionMonthsOf } from './decision-months';
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
                 findings)`,
);

const FIND_INPUT_FINDINGS = statement(
  'decision_find_input_findings',
  `SELECT findings FROM decision WHERE job_id = $1 AND ${inGivenMonths('id')} AND stage = 'input' AND verdict = 'passed'`,
);

/** Writes the decisions of the gate: hashes of the content and the findings, never the content. */
@Injectable()
export class DecisionRepository {
  private readonly inserts: BatchedStatement<DecisionRow, void>;

  constructor(private readonly database: Database) {
    this.inserts = new BatchedStatement({
      run: (rows) => this.insert(this.database, rows),
      fairBy: ({ account_id }) => account_id,
    });
  }

  /** The returned id and hashes prove that this content passed; only a `PassedVerdict` of the gate can be recorded here. */
  async recordPassed(judged: ScreenedJob, verdict: PassedVerdict): Promise<PassedContent> {
    const row = toDecisionRow(judged, verdict);
    await this.inserts.run(row);
    return { decision_id: row.id as PassedDecisionId, content_sha256: [...row.content_sha256] };
  }

  /** @returns the id of the decision. */
  async recordBlocked(on: Queryable, judged: ScreenedJob, verdict: BlockedVerdict): Promise<string> {
    const row = toDecisionRow(judged, verdict);
    await this.insert(on, [row]);
    return row.id;
  }

  /** Whether a text of the job mentions a minor, as the decision about its input says. */
  async hasYoungContext(jobId: string): Promise<boolean> {
    const decisions = await this.database.query<Pick<DecisionRow, 'findings'>>(
      FIND_INPUT_FINDINGS,
      [jobId],
      decisionMonthsOf(jobId),
    );
    return decisions.some(({ findings }) => findings.some(hasYoungContext));
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
      rows.map(({ texts }) => texts),
      rows.map(({ policy_version }) => policy_version),
      rows.map(({ engines }) => JSON.stringify(engines)),
      rows.map(({ findings }) => JSON.stringify(findings)),
    ]);
    return rows.map(() => undefined);
  }
}
