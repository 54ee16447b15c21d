import { Controller } from '@nestjs/common';
import { type EventDelivery, OnEvent } from '@kinora/bus';
import { type StrikeStanding, moderationEvents } from '@kinora/contracts/moderation/moderation.events';
import { HeedStrikes } from './use-cases/heed-strikes/heed-strikes.use-case';

/** What billing hears of moderation. */
@Controller()
export class StrikesController {
  constructor(private readonly heedStrikes: HeedStrikes) {}

  @OnEvent(moderationEvents.strikeRecorded)
  strikeRecorded(standing: StrikeStanding, { messageId }: EventDelivery): Promise<void> {
    return this.heedStrikes.suspend(standing, messageId);
  }

  @OnEvent(moderationEvents.strikeLifted)
  strikeLifted(standing: StrikeStanding, { messageId }: EventDelivery): Promise<void> {
    return this.heedStrikes.reinstate(standing, messageId);
  }
}
