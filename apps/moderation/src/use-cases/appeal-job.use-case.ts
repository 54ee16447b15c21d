import { Injectable } from '@nestjs/common';
import type { Appeal, AppealRequest } from '@kinora/contracts/moderation/appeals.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { AppealEntity } from '../appeal/appeal.entity';
import { AppealRepository } from '../appeal/appeal.repository';
import { Gate } from '../gate/gate';

/** Days after the block. */
const APPEAL_DAYS = 30;

/** Takes the appeal of a customer against the block of an output. The output is not kept, and the customer may attach nothing. */
@Injectable()
export class AppealJob {
  constructor(
    private readonly appeals: AppealRepository,
    private readonly gate: Gate,
  ) {}

  /** @throws ApiError not_found, content_blocked_prompt, capacity */
  async execute(request: AppealRequest): Promise<Appeal> {
    const { account_id, job_id, text } = request;
    const known = await this.appeals.findOfJob(account_id, job_id);
    if (known) return toAppeal(known);
    const decisionId = await this.appeals.findBlock(request, APPEAL_DAYS);
    if (decisionId === null)
      throw new ApiError('not_found', `No output of this job was blocked within ${APPEAL_DAYS} days.`);
    const { outcome } = await this.gate.judge({ texts: [{ param: 'text', text }], images: [] });
    if (outcome === 'blocked')
      throw new ApiError('content_blocked_prompt', 'The text was refused by content moderation (words). Change it.', {
        param: 'text',
      });
    await this.appeals.add(request, decisionId);
    const added = await this.appeals.findOfJob(account_id, job_id);
    if (!added) throw new Error(`The appeal of job ${job_id} was not stored.`);
    return toAppeal(added);
  }
}

function toAppeal({ id, job_id, decision_id, status, created_at, decided_at, reason }: AppealEntity): Appeal {
  return {
    ...{ object: 'appeal', id, job_id, decision_id, status, reason },
    created_at: created_at.toISOString(),
    decided_at: decided_at?.toISOString() ?? null,
  };
}
