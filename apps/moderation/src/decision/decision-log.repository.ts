import { Injectable } from '@nestjs/common';
import type { DecisionDetails } from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { DecisionReference } from '@kinora/contracts/moderation/moderation.rpc';
import { MAY_BE_STALE, type Months, type RowOf, columnsOf, firstIdOf, literal, literalRange } from '@kinora/database';
import { InjectRepository } from '@nestjs/typeorm';
import { Equal, type FindOperator, LessThan, Repository } from 'typeorm';
import { decisionMonthsOf } from './decision-months';
import { DecisionEntity } from './decision.entity';

/** All columns except `texts`, which only a replay reads. */
const SHOWN = columnsOf(
  DecisionEntity,
  ...(['id', 'account_id', 'job_id', 'stage', 'verdict', 'engine', 'reason', 'content_sha256'] as const),
  ...(['policy_version', 'engines', 'findings', 'created_at'] as const),
);

const REFERENCE = columnsOf(DecisionEntity, 'id', 'stage', 'verdict', 'policy_version', 'created_at');

interface DecisionFilter {
  account_id: string | null;
  job_id: string | null;
  verdict: DecisionDetails['verdict'] | null;
}

/** Reads decisions for operators and receipts. */
@Injectable()
export class DecisionLogRepository {
  constructor(@InjectRepository(DecisionEntity) private readonly decisions: Repository<DecisionEntity>) {}

  async find(id: string): Promise<DecisionDetails | null> {
    const row = await this.decisions.findOne({
      comment: 'decision_find',
      select: SHOWN.selected,
      where: { id: literal(id) },
    });
    return row && toDetails(row);
  }

  /** The decisions about a job of the account, oldest first. */
  async findOfJob(account_id: string, job_id: string, limit: number): Promise<DecisionReference[]> {
    const rows = await this.decisions.find({
      comment: 'decision_find_of_job',
      select: REFERENCE.selected,
      where: { account_id, job_id, id: idsOf(decisionMonthsOf(job_id)) },
      order: { id: 'ASC' },
      take: limit,
    });
    return rows.map(({ id, stage, verdict, policy_version, created_at }) => {
      return { decision_id: id, stage, verdict, policy_version, created_at: created_at.toISOString() };
    });
  }

  /**
   * Newest first, starting before the cursor. The verdict is a literal in the statement, so that PostgreSQL uses the partial
   * index of blocked decisions: about one decision in thousands is blocked. Decisions of one job are read by the index on the
   * job.
   */
  async list(filter: DecisionFilter, cursor: string | null, limit: number): Promise<DecisionDetails[]> {
    const { account_id, job_id, verdict } = filter;
    const before = cursor === null ? undefined : LessThan(cursor);
    const id = job_id === null ? before : idsOf(decisionMonthsOf(job_id), cursor);
    const rows = await this.decisions.find({
      comment: `decision_list${MAY_BE_STALE}`,
      select: SHOWN.selected,
      where: {
        ...(account_id !== null && { account_id }),
        ...(job_id !== null && { job_id }),
        ...(verdict !== null && { verdict: job_id === null ? literal(verdict) : Equal(verdict) }),
        ...(id && { id }),
      },
      order: { id: 'DESC' },
      take: limit,
    });
    return rows.map(toDetails);
  }
}

/** As literals, by which a statement is planned for these months only. */
function idsOf({ from, until }: Months, cursor: string | null = null): FindOperator<string> {
  const end = firstIdOf(until);
  return literalRange(firstIdOf(from), cursor !== null && cursor < end ? cursor : end);
}

function toDetails({ id, created_at, ...row }: RowOf<typeof SHOWN>): DecisionDetails {
  return { decision_id: id, ...row, created_at: created_at.toISOString() };
}
