import { Injectable } from '@nestjs/common';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import { WakeUp } from '@kinora/service-kit';
import { DeliveryDeletionRepository } from '../delivery/delivery-deletion.repository';
import { DeliveryRepository } from '../delivery/delivery.repository';
import { toNewDelivery } from '../delivery/new-delivery';
import { SweepRepository } from '../delivery/sweep.repository';
import { WebhookDispatcherConfig } from '../webhook-dispatcher.config';

/** Replaces the bodies of an event's deliveries by what is left of its job, and deletes the addresses of those that have ended. */
@Injectable()
export class DeleteContent {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly deletions: DeliveryDeletionRepository,
    private readonly sweep: SweepRepository,
    private readonly config: WebhookDispatcherConfig,
    private readonly wakeUp: WakeUp<'deliver'>,
  ) {}

  /**
   * Writes the delivery if its event has not arrived yet: the event still carries the whole job, and finds a delivery then. An
   * attempt that is under way has read the old body; a later one reads the new body.
   */
  async execute(event: JobFinished): Promise<Record<string, never>> {
    const delivery = toNewDelivery(event);
    if (!delivery) return {};
    if ((await this.mayBeUnwritten(event)) && (await this.deliveries.insert(delivery))) this.wakeUp.notify('deliver');
    await this.deletions.replaceContent(event.event_id, delivery.body, new Date(event.job.completed_at ?? 0));
    return {};
  }

  /** The deliveries of older jobs may be pruned, and are not written again. */
  private async mayBeUnwritten({ job }: JobFinished): Promise<boolean> {
    const horizon = await this.sweep.raiseHorizon(this.config.forgetBefore);
    return job.completed_at !== null && Date.parse(job.completed_at) > horizon.getTime();
  }
}

/** Small enough that locks are held briefly and a replica of the database keeps up. */
const BATCH = 500;

/** Prunes what is older than the retention time: events, and ended deliveries unless their months are dropped as a whole. */
@Injectable()
export class PruneDeliveries {
  constructor(
    private readonly config: WebhookDispatcherConfig,
    private readonly deletions: DeliveryDeletionRepository,
    private readonly sweep: SweepRepository,
  ) {}

  async execute(): Promise<'more' | 'idle'> {
    const before = this.config.forgetBefore;
    // Recorded before anything is deleted: a sweep that is running must not make the deliveries again.
    await this.sweep.raiseHorizon(before);
    const deliveries = this.config.deletesRows ? await this.deletions.prune(before, BATCH) : 0;
    const events = await this.deletions.pruneEvents(before, BATCH);
    return Math.max(deliveries, events) === BATCH ? 'more' : 'idle';
  }
}
