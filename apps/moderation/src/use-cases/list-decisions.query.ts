import { Injectable } from '@nestjs/common';
import type { DecisionDetails, ListDecisionsRequest } from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { DecisionReference } from '@kinora/contracts/moderation/moderation.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { PartialList } from '@kinora/contracts/shared/page';
import { toPage } from '@kinora/bus';
import { DecisionLogRepository } from '../decision/decision-log.repository';
import { assertLimit, assertUuid, invalidField } from '../operator-input';

const DEFAULT_LIMIT = 50;
const VERDICTS: readonly string[] = ['passed', 'blocked'] satisfies Verdict[];

type Verdict = DecisionDetails['verdict'];

/** Lists decisions for operators, newest first. */
@Injectable()
export class ListDecisions {
  constructor(private readonly log: DecisionLogRepository) {}

  async execute(request: ListDecisionsRequest): Promise<PartialList<DecisionDetails>> {
    const { account_id = null, job_id = null, verdict = null, limit = DEFAULT_LIMIT, cursor = null } = request;
    assertUuid('account_id', account_id);
    assertUuid('job_id', job_id);
    if (verdict !== null && !isVerdict(verdict)) throw invalidField('verdict', 'passed or blocked');
    assertUuid('cursor', cursor);
    assertLimit(limit);
    const found = await this.log.list({ account_id, job_id, verdict }, cursor, limit + 1);
    return toPage(found, { limit, cursorOf: ({ decision_id }) => decision_id });
  }
}

function isVerdict(value: string): value is Verdict {
  return VERDICTS.includes(value);
}

/** Shows one decision: the findings and the engines, never the content. */
@Injectable()
export class GetDecision {
  constructor(private readonly log: DecisionLogRepository) {}

  async execute(decisionId: string): Promise<DecisionDetails> {
    assertUuid('decision_id', decisionId);
    const decision = await this.log.find(decisionId);
    if (!decision) throw new ApiError('not_found', 'There is no such decision.');
    return decision;
  }
}

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
