import { Injectable } from '@nestjs/common';
import type { DecisionDetails, ListDecisionsRequest } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { DecisionLogRepository } from '../../decision/decision-log.repository';
import { assertLimit, assertUuid, invalidField } from '../../operator-input';

const DEFAULT_LIMIT = 50;
const VERDICTS: readonly string[] = ['passed', 'blocked'] satisfies Verdict[];

type Verdict = DecisionDetails['verdict'];

/** Lists decisions for operators, newest first. */
@Injectable()
export class ListDecisions {
  constructor(private readonly log: DecisionLogRepository) {}

  async execute(request: ListDecisionsRequest): Promise<{ data: DecisionDetails[] }> {
    const { account_id = null, job_id = null, verdict = null, limit = DEFAULT_LIMIT } = request;
    assertUuid('account_id', account_id);
    assertUuid('job_id', job_id);
    if (verdict !== null && !isVerdict(verdict)) throw invalidField('verdict', 'passed or blocked');
    assertLimit(limit);
    return { data: await this.log.list({ account_id, job_id, verdict }, limit) };
  }
}

function isVerdict(value: string): value is Verdict {
  return VERDICTS.includes(value);
}
