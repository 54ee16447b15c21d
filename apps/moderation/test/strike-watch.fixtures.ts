import { Controller } from '@nestjs/common';
import { type EventDelivery, OnEvent } from '@kinora/bus';
import { type StrikeStanding, moderationEvents } from '@kinora/contracts/moderation/moderation.events';

@Controller()
export class StrikeWatch {
  readonly published: StrikeStanding[] = [];

  @OnEvent(moderationEvents.strikeRecorded)
  async strikeRecorded(standing: StrikeStanding, _delivery: EventDelivery): Promise<void> {
    this.published.push(standing);
  }

  @OnEvent(moderationEvents.strikeLifted)
  async strikeLifted(standing: StrikeStanding, _delivery: EventDelivery): Promise<void> {
    this.published.push(standing);
  }
}
