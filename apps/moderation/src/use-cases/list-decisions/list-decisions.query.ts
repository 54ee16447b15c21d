import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { DecisionDetails, ListDecisionsRequest } from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import { DecisionLogRepository } from '../../decision/decision-log.repository';
import { assertLimit, assertUuid, invalidField } from '../../operator-input';

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
