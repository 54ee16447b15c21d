import { Injectable } from '@nestjs/common';
import { OldDeliveryRepository } from '../../delivery/old-delivery.repository';
import { WebhookDispatcherConfig } from '../../webhook-dispatcher.config';

const DAY_MS = 24 * 60 * 60_000;
/** Few enough that nobody waits for their locks, and that a copy of the database keeps up. */
const BATCH = 500;

/** Forgets deliveries, with their bodies and attempts, that ended longer ago than anybody asks. */
@Injectable()
export class ForgetDeliveries {
  constructor(
    private readonly config: WebhookDispatcherConfig,
    private readonly old: OldDeliveryRepository,
  ) {}

  async execute(): Promise<'more' | 'idle'> {
    const before = new Date(Date.now() - this.config.retentionDays * DAY_MS);
    return (await this.old.forget(before, BATCH)) === BATCH ? 'more' : 'idle';
  }
}
