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
/** A job has two decisions, and one more for each repeated screening; the bound keeps the answer within a message. */
const OF_JOB_MAX = 100;

type Verdict = DecisionDetails['verdict'];

/** Reads decisions: the findings and the engines, never the content. */
@Injectable()
export class ListDecisions {
  constructor(private readonly log: DecisionLogRepository) {}

  /** For operators, newest first. */
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

  async get({ decision_id }: { decision_id: string }): Promise<DecisionDetails> {
    assertUuid('decision_id', decision_id);
    const decision = await this.log.find(decision_id);
    if (!decision) throw new ApiError('not_found', 'There is no such decision.');
    return decision;
  }

  /** References for the receipt of a job: never the findings. */
  async findOfJob(request: { account_id: string; job_id: string }): Promise<{ decisions: DecisionReference[] }> {
    return { decisions: await this.log.findOfJob(request.account_id, request.job_id, OF_JOB_MAX) };
  }
}

function isVerdict(value: string): value is Verdict {
  return VERDICTS.includes(value);
}
