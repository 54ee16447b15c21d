import { Controller } from '@nestjs/common';
import { type EventDelivery, Listens } from '@kinora/bus';
import { type StrikeStanding, moderationEvents } from '@kinora/contracts/moderation/moderation.events';

/** Whoever acts on strikes. */
@Controller()
export class StrikeWatch {
  readonly told: StrikeStanding[] = [];

  @Listens(moderationEvents.strikeRecorded)
  async strikeRecorded(standing: StrikeStanding, _delivery: EventDelivery): Promise<void> {
    this.told.push(standing);
  }

  @Listens(moderationEvents.strikeLifted)
  async strikeLifted(standing: StrikeStanding, _delivery: EventDelivery): Promise<void> {
    this.told.push(standing);
  }
}
