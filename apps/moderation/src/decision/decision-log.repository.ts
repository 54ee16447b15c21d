import { Injectable } from '@nestjs/common';
import type { DecisionDetails } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { Database, statement } from '@kinora/database';

const COLUMNS = `id AS decision_id, account_id, job_id, stage, verdict, engine, reason, content_sha256, policy_version, engines,
                 findings, created_at`;

const FIND = statement('decision_find', `SELECT ${COLUMNS} FROM decision WHERE id = $1`);

const LIST_OF_JOB = statement(
  'decision_list_of_job',
  `SELECT ${COLUMNS} FROM decision
   WHERE job_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::text IS NULL OR verdict = $3) AND id < $4
   ORDER BY id DESC LIMIT $5`,
);

const LIST_OF_ACCOUNT = statement('decision_list_of_account', listWhere('account_id = $3'));
const LIST_BLOCKED_OF_ACCOUNT = statement(
  'decision_list_blocked_of_account',
  listWhere(`account_id = $3 AND verdict = 'blocked'`),
);
const LIST_PASSED_OF_ACCOUNT = statement(
  'decision_list_passed_of_account',
  listWhere(`account_id = $3 AND verdict = 'passed'`),
);

const LIST = statement('decision_list', listWhere('true'));
const LIST_BLOCKED = statement('decision_list_blocked', listWhere(`verdict = 'blocked'`));
const LIST_PASSED = statement('decision_list_passed', listWhere(`verdict = 'passed'`));

/** A verdict stands in so many words: one among thousands is blocked, and only so is found by the indexes of those. */
function listWhere(condition: string): string {
  return `SELECT ${COLUMNS} FROM decision WHERE ${condition} AND id < $1 ORDER BY id DESC LIMIT $2`;
}

const LISTS = { any: LIST, blocked: LIST_BLOCKED, passed: LIST_PASSED };
const LISTS_OF_ACCOUNT = { any: LIST_OF_ACCOUNT, blocked: LIST_BLOCKED_OF_ACCOUNT, passed: LIST_PASSED_OF_ACCOUNT };

/** Sorts after every decision's id. */
const AFTER_ALL_IDS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface DecisionFilter {
  account_id: string | null;
  job_id: string | null;
  verdict: DecisionDetails['verdict'] | null;
}

interface DetailsRow extends Omit<DecisionDetails, 'created_at'> {
  created_at: Date;
}

/** Decisions as operators read them. */
@Injectable()
export class DecisionLogRepository {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<DecisionDetails | null> {
    const row = await this.database.findOne<DetailsRow>(FIND, [id]);
    return row && toDetails(row);
  }

  /** Newest first, from the one before the cursor on. Each kind of list has a statement, and an index, of its own. */
  async list(filter: DecisionFilter, cursor: string | null, limit: number): Promise<DecisionDetails[]> {
    return (await this.select(filter, cursor ?? AFTER_ALL_IDS, limit)).map(toDetails);
  }

  private select(filter: DecisionFilter, before: string, limit: number): Promise<DetailsRow[]> {
    const { account_id: accountId, job_id: jobId, verdict } = filter;
    if (jobId !== null) return this.database.query(LIST_OF_JOB, [jobId, accountId, verdict, before, limit]);
    if (accountId !== null) return this.database.query(LISTS_OF_ACCOUNT[verdict ?? 'any'], [before, limit, accountId]);
    return this.database.query(LISTS[verdict ?? 'any'], [before, limit]);
  }
}

function toDetails({ created_at, ...row }: DetailsRow): DecisionDetails {
  return { ...row, created_at: created_at.toISOString() };
}
