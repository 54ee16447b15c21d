import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { AppealRequest, AppealStatus, DecideAppealRequest } from '@kinora/contracts/moderation/appeals.rpc';
import { Database, type Queryable, inGivenMonths, statement } from '@kinora/database';
import { decisionMonthsOf } from '../decision/decision-months';
import { AppealEntity } from './appeal.entity';

const FIND_BLOCK = statement(
  'appeal_find_block',
  `SELECT id FROM decision
   WHERE job_id = $2 AND account_id = $1 AND ${inGivenMonths('id')} AND stage = 'output' AND verdict = 'blocked'
     AND created_at > clock_timestamp() - $3 * interval '1 day'
   ORDER BY id LIMIT 1`,
);

const INSERT = statement(
  'appeal_insert',
  `INSERT INTO appeal (id, account_id, job_id, decision_id, text) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (job_id) DO NOTHING`,
);

const DECIDE = statement(
  'appeal_decide',
  `UPDATE appeal SET status = $2, decided_at = clock_timestamp(), decided_by = $3, reason = $4
   WHERE id = $1 AND status = 'open'`,
);

/** Stores one appeal for each job. */
@Injectable()
export class AppealRepository {
  constructor(
    @InjectRepository(AppealEntity) private readonly appeals: Repository<AppealEntity>,
    private readonly database: Database,
  ) {}

  /** The decision that blocked an output of the job within the last `days` days. */
  async findBlock({ account_id, job_id }: AppealRequest, days: number): Promise<string | null> {
    const values = [account_id, job_id, days];
    const [found] = await this.database.query<{ id: string }>(FIND_BLOCK, values, decisionMonthsOf(job_id));
    return found?.id ?? null;
  }

  /** Keeps the first appeal of a job. */
  async add({ account_id, job_id, text }: AppealRequest, decisionId: string): Promise<void> {
    await this.database.execute(INSERT, [uuidv7(), account_id, job_id, decisionId, text]);
  }

  findOfJob(account_id: string, job_id: string): Promise<AppealEntity | null> {
    return this.appeals.findOne({ comment: 'appeal_find_of_job', where: { account_id, job_id } });
  }

  find(id: string): Promise<AppealEntity | null> {
    return this.appeals.findOne({ comment: 'appeal_find', where: { id } });
  }

  countOpen(): Promise<number> {
    return this.appeals.count({ comment: 'appeal_count_open', where: { status: 'open' } });
  }

  /** @returns false where it was decided before. */
  async decide(on: Queryable, { appeal_id, status, actor, reason }: DecideAppealRequest): Promise<boolean> {
    return (await on.execute(DECIDE, [appeal_id, status, actor ?? null, reason])) === 1;
  }

  /** Oldest first, after the cursor. */
  list(status: AppealStatus, cursor: string | null, limit: number): Promise<AppealEntity[]> {
    return this.appeals.find({
      comment: 'appeal_list',
      where: { status, ...(cursor !== null && { id: MoreThan(cursor) }) },
      order: { id: 'ASC' },
      take: limit,
    });
  }
}
