import { Injectable } from '@nestjs/common';
import type { DecisionDetails } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { DecisionLogRepository } from '../../decision/decision-log.repository';
import { assertUuid } from '../../operator-input';

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
