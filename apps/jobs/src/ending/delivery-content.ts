import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import type { JobRow } from '../job/job.entity';
import { JobPresenter } from '../job/job.view';
import { DeletionRepository } from './deletion.repository';

/** The content of a job in the deliveries of its webhook, which the dispatcher has. */
@Injectable()
export class DeliveryContent {
  constructor(
    private readonly deletions: DeletionRepository,
    private readonly presenter: JobPresenter,
    private readonly bus: Bus,
  ) {}

  /**
   * The dispatcher writes the delivery, if it has none yet, and changes the bodies of all. Only then is the address deleted here: a
   * job whose event the broker has lost would otherwise send no webhook, and the sweep finds a job that failed here by its address.
   * @param left the job without its content.
   * @throws ApiError capacity while the dispatcher does not answer.
   */
  async delete(left: JobRow): Promise<void> {
    if (left.webhook_url === null) return;
    await this.bus.request(webhooksRpc.deleteContent, await this.presenter.toFinished(left));
    await this.deletions.deleteWebhookUrl(left.id);
  }
}
