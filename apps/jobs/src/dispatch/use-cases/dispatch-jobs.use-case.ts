import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JobClaimsRepository } from '../job-claims.repository';
import { CreatePriority } from '../create-priority';
import { JobRoutes } from '../../routing/job-routes';
import { ModelQueueDispatch } from '../model-queue-dispatch';
import { ScheduledDispatch } from '../scheduled-dispatch';
import type { OnSubmitted } from '../submission';

/** Claims waiting jobs, one queue after another, and submits each to an instance that has room. */
@Injectable()
export class DispatchJobs {
  private rounds = 0;
  private lacksSlots = false;

  constructor(
    private readonly claims: JobClaimsRepository,
    private readonly modelQueues: ModelQueueDispatch,
    private readonly scheduled: ScheduledDispatch,
    private readonly routes: JobRoutes,
    private readonly createPriority: CreatePriority,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Whether jobs waited for a free slot, so that the end of a submission must start a new round. */
  get needsSlot(): boolean {
    return this.lacksSlots;
  }

  /** Fills free slots and does not wait for the submissions; `onSubmitted` is called after each of them. */
  async execute(onSubmitted: OnSubmitted): Promise<{ more: boolean }> {
    await this.createPriority.yieldToCreates();
    const heads = await this.claims.listQueueHeads();
    const { claimed: planned, needsSlot } = await this.scheduled.serve(heads, onSubmitted).catch((error: unknown) => {
      this.logger.warn({ reason: String(error) }, 'models_not_planned');
      return { claimed: 0, needsSlot: false };
    });
    this.lacksSlots = needsSlot;
    const first = this.rounds++ % Math.max(heads.length, 1);
    let claimed = planned;
    for (const head of [...heads.slice(first), ...heads.slice(0, first)]) {
      // A queue that cannot be served, for example because a row is locked, does not stop the others.
      const loading = this.routes.loadingRoutes(head).map(({ provider }) => provider);
      if (loading.length === head.plan.routes.length) continue;
      const served = await this.modelQueues.serve(head, onSubmitted, loading).catch((error: unknown) => {
        this.logger.warn({ model: head.model, reason: String(error) }, 'lane_not_served');
        return { claimed: 0, needsSlot: false };
      });
      claimed += served.claimed;
      this.lacksSlots ||= served.needsSlot;
    }
    return { more: claimed > 0 };
  }
}
