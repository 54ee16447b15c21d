import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JobClaimsRepository } from '../../queue/job-claims.repository';
import { CreatePriority } from '../../queue/create-priority';
import { LaneDispatch } from './lane-dispatch';
import type { OnSubmitted } from './submission-limit';

/** Takes waiting jobs, lane after lane, and submits each to an instance that has room. */
@Injectable()
export class DispatchJobs {
  private rounds = 0;
  private isShortOfSlots = false;

  constructor(
    private readonly claims: JobClaimsRepository,
    private readonly lanes: LaneDispatch,
    private readonly createPriority: CreatePriority,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Whether the end of a submission lets another one begin that was not begun for it. */
  get waitsForSlot(): boolean {
    return this.isShortOfSlots;
  }

  /** Fills free slots and does not wait for them; `onSubmitted` is told of each submission. */
  async execute(onSubmitted: OnSubmitted): Promise<{ more: boolean }> {
    await this.createPriority.yieldToCreates();
    const lanes = await this.claims.listLanes();
    this.isShortOfSlots = false;
    const first = this.rounds++ % Math.max(lanes.length, 1);
    let claimed = 0;
    for (const lane of [...lanes.slice(first), ...lanes.slice(0, first)]) {
      // Whatever keeps a lane from being served, such as somebody who holds a row of it, the others are served.
      const served = await this.lanes.serve(lane, onSubmitted).catch((error: unknown) => {
        this.logger.warn({ model: lane.model, reason: String(error) }, 'lane_not_served');
        return { claimed: 0, wantsSlot: false };
      });
      claimed += served.claimed;
      this.isShortOfSlots ||= served.wantsSlot;
    }
    return { more: claimed > 0 };
  }
}
