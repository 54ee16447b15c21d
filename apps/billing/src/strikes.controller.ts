import { Controller } from '@nestjs/common';
import { type EventDelivery, Listens } from '@kinora/bus';
import { type StrikeStanding, moderationEvents } from '@kinora/contracts/moderation/moderation.events';
import { HeedStrikes } from './use-cases/heed-strikes/heed-strikes.use-case';

/** What billing hears of moderation. */
@Controller()
export class StrikesController {
  constructor(private readonly heedStrikes: HeedStrikes) {}

  @Listens(moderationEvents.strikeRecorded)
  strikeRecorded(standing: StrikeStanding, { messageId }: EventDelivery): Promise<void> {
    return this.heedStrikes.suspend(standing, messageId);
  }

  @Listens(moderationEvents.strikeLifted)
  strikeLifted(standing: StrikeStanding, { messageId }: EventDelivery): Promise<void> {
    return this.heedStrikes.reinstate(standing, messageId);
  }
}
