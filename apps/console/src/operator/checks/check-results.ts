import { Injectable } from '@nestjs/common';
import {
  type Check,
  CHECK_PROBLEMS_MAX,
  type CheckResult,
  type RecordCheckRequest,
} from '@kinora/contracts/console/checks.rpc';
import { Database, type RowOf, columnsOf, statement } from '@kinora/database';
import { CheckResultEntity } from './check-result.entity';

const COLUMNS = columnsOf(CheckResultEntity, ...(['name', 'ok', 'summary', 'problems', 'actor', 'ran_at'] as const));

type CheckResultRow = RowOf<typeof COLUMNS>;

const RECORD = statement(
  'check_result_record',
  `INSERT INTO check_result (name, ok, summary, problems, actor, ran_at) VALUES ($1, $2, $3, $4, $5, now())
   ON CONFLICT (name) DO UPDATE SET ok = EXCLUDED.ok, summary = EXCLUDED.summary, problems = EXCLUDED.problems,
     actor = EXCLUDED.actor, ran_at = EXCLUDED.ran_at
   RETURNING ${COLUMNS.sql}`,
);
const LIST = statement('check_result_list', `SELECT ${COLUMNS.sql} FROM check_result ORDER BY name LIMIT 10`);

/** The last results of the checks that operators run, for the overview. */
@Injectable()
export class CheckResults {
  constructor(private readonly database: Database) {}

  async record({ check, ok, summary, problems }: RecordCheckRequest, actor: string): Promise<CheckResult> {
    const kept = JSON.stringify(problems.slice(0, CHECK_PROBLEMS_MAX));
    const row = await this.database.findOne<CheckResultRow>(RECORD, [check, ok, summary, kept, actor]);
    if (!row) throw new Error('The statement that records a check returned no row.');
    return toCheckResult({ ...row, name: check });
  }

  /** No program runs the backup of a cluster, so an operator says that it is set up. */
  async confirmBackup(actor: string): Promise<{ has_backup: boolean }> {
    await this.database.execute(RECORD, ['backup', true, 'set up', '[]', actor]);
    return { has_backup: true };
  }

  async list(): Promise<{ checks: CheckResult[]; has_backup: boolean }> {
    const rows = await this.database.query<CheckResultRow>(LIST);
    return { checks: rows.filter(isCheck).map(toCheckResult), has_backup: !rows.every(isCheck) };
  }
}

type CheckRow = CheckResultRow & { name: Check };

const isCheck = (row: CheckResultRow): row is CheckRow => row.name !== 'backup';

function toCheckResult({ name: check, ran_at, ...row }: CheckRow): CheckResult {
  return { check, ...row, ran_at: ran_at.toISOString() };
}
