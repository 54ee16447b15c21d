import { Injectable } from '@nestjs/common';
import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { CreatePriority } from '../create-priority';
import { JobRoutes } from '../../routing/job-routes';
import { type QueueHead, QueueHeadsRepository } from '../../scheduling/queue-heads.repository';
import { ModelQueueDispatch } from '../model-queue-dispatch';
import { ScheduledDispatch } from '../scheduled-dispatch';
import type { OnSubmitted } from '../submission';

/** Claims waiting jobs, one queue after another, and submits each to an instance that has room. */
@Injectable()
export class DispatchJobs {
  private rounds = 0;
  private lacksSlots = false;

  constructor(
    private readonly heads: QueueHeadsRepository,
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
    const queues = this.route(await this.heads.list());
    const planned = await this.scheduled
      .serve(
        queues.map(({ head, loading }) => ({ model: head.model, routes: loading })),
        onSubmitted,
      )
      .catch(this.skip('models_not_planned'));
    this.lacksSlots = planned.needsSlot;
    const first = this.rounds++ % Math.max(queues.length, 1);
    let { claimed } = planned;
    for (const { head, loading } of [...queues.slice(first), ...queues.slice(0, first)]) {
      if (loading.length === head.plan.routes.length) continue;
      const planning = loading.map(({ provider }) => provider);
      const served = await this.modelQueues
        .serve(head, onSubmitted, planning)
        .catch(this.skip('lane_not_served', head.model));
      claimed += served.claimed;
      this.lacksSlots ||= served.needsSlot;
    }
    return { more: claimed > 0 };
  }

  /** The queues with those of their routes that the plan decides. */
  private route(heads: QueueHead[]): { head: QueueHead; loading: Route[] }[] {
    return heads.flatMap((head) => {
      try {
        return [{ head, loading: this.routes.loadingRoutes(head) }];
      } catch (error) {
        this.skip('lane_not_served', head.model)(error);
        return [];
      }
    });
  }

  /** A queue that cannot be served, for example because a row is locked, does not stop the others. */
  private skip(event: string, model?: string): (error: unknown) => { claimed: number; needsSlot: boolean } {
    return (error) => {
      this.logger.warn({ ...(model !== undefined && { model }), reason: String(error) }, event);
      return { claimed: 0, needsSlot: false };
    };
  }
}
