import { Controller } from '@nestjs/common';
import { type EventDelivery, OnEvent } from '@kinora/bus';
import { type StrikeStanding, moderationEvents } from '@kinora/contracts/moderation/moderation.events';
import { ApplyStrikes } from './use-cases/apply-strikes/apply-strikes.use-case';

/** Subscribes to moderation's events. */
@Controller()
export class StrikesController {
  constructor(private readonly applyStrikes: ApplyStrikes) {}

  @OnEvent(moderationEvents.strikeRecorded)
  strikeRecorded(standing: StrikeStanding, { messageId }: EventDelivery): Promise<void> {
    return this.applyStrikes.suspend(standing, messageId);
  }

  @OnEvent(moderationEvents.strikeLifted)
  strikeLifted(standing: StrikeStanding, { messageId }: EventDelivery): Promise<void> {
    return this.applyStrikes.reinstate(standing, messageId);
  }
}
