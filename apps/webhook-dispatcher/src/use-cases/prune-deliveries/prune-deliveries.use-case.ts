import { Injectable } from '@nestjs/common';
import { OldDeliveryRepository } from '../../delivery/old-delivery.repository';
import { SweepRepository } from '../../sweep/sweep.repository';
import { WebhookDispatcherConfig } from '../../webhook-dispatcher.config';

/** Small enough that locks are held briefly and a replica of the database keeps up. */
const BATCH = 500;

/** Prunes deliveries, with their bodies and attempts, that ended longer ago than the retention time. */
@Injectable()
export class PruneDeliveries {
  constructor(
    private readonly config: WebhookDispatcherConfig,
    private readonly old: OldDeliveryRepository,
    private readonly sweep: SweepRepository,
  ) {}

  async execute(): Promise<'more' | 'idle'> {
    const before = this.config.forgetBefore;
    // Recorded before anything is deleted: a sweep that is running must not make the deliveries again.
    await this.sweep.raiseHorizon(before);
    return (await this.old.prune(before, BATCH)) === BATCH ? 'more' : 'idle';
  }
}
