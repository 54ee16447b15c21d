import { Injectable } from '@nestjs/common';
import { OldDeliveryRepository } from '../../delivery/old-delivery.repository';
import { SweepRepository } from '../../sweep/sweep.repository';
import { WebhookDispatcherConfig } from '../../webhook-dispatcher.config';

/** Few enough that nobody waits for their locks, and that a copy of the database keeps up. */
const BATCH = 500;

/** Forgets deliveries, with their bodies and attempts, that ended longer ago than anybody asks. */
@Injectable()
export class ForgetDeliveries {
  constructor(
    private readonly config: WebhookDispatcherConfig,
    private readonly old: OldDeliveryRepository,
    private readonly sweep: SweepRepository,
  ) {}

  async execute(): Promise<'more' | 'idle'> {
    const before = this.config.forgetBefore;
    // Before anything is deleted: a sweep that is under way must not make it again.
    await this.sweep.raiseHorizon(before);
    return (await this.old.forget(before, BATCH)) === BATCH ? 'more' : 'idle';
  }
}
