import { Injectable } from '@nestjs/common';
import type { DecisionReference } from '@kinora/contracts/moderation/moderation.rpc';
import { DecisionLogRepository } from '../../decision/decision-log.repository';

/** A job has two decisions, and one more for each repeated screening; the bound keeps the answer within a message. */
const DECISIONS_MAX = 100;

/** References to the decisions about a job, for its receipt: never the findings or the content. */
@Injectable()
export class FindJobDecisions {
  constructor(private readonly log: DecisionLogRepository) {}

  async execute({ account_id, job_id }: { account_id: string; job_id: string }): Promise<{
    decisions: DecisionReference[];
  }> {
    return { decisions: await this.log.findOfJob(account_id, job_id, DECISIONS_MAX) };
  }
}
