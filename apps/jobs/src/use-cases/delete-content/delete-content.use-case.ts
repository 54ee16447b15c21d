import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import { DeletionRepository } from '../../ending/deletion.repository';
import { JobDeletion } from '../../ending/job-deletion';
import type { JobRow } from '../../job/job.entity';
import { JobPresenter } from '../../job/job.view';
import { withoutContent } from '../../job/without-content';

/** Deletes the files of an ended job and every text of its client. Its id, states, money and hashes stay: they are the books. */
@Injectable()
export class DeleteContent {
  constructor(
    private readonly deletion: JobDeletion,
    private readonly deletions: DeletionRepository,
    private readonly presenter: JobPresenter,
    private readonly bus: Bus,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * The texts of the row go first, then those of its deliveries, then the files. Each step can be repeated, so a repeat completes
   * a request that failed.
   * @throws ApiError capacity while the dispatcher or the store does not answer.
   */
  async execute(ref: JobRef): Promise<Job> {
    const job = await this.deletion.begin(ref);
    const left = await this.deletions.deleteContent(job.id, withoutContent(job));
    await this.deleteFromDeliveries(left);
    this.logger.info({ job_id: job.id, account_id: job.account_id }, 'job_content_deleted');
    return this.deletion.deleteFiles(left);
  }

  /**
   * The dispatcher writes the delivery, if it has none yet, and changes the bodies of all. Only then is the address deleted here: a
   * job whose event the broker has lost would otherwise send no webhook.
   */
  private async deleteFromDeliveries(left: JobRow): Promise<void> {
    if (left.webhook_url === null) return;
    await this.bus.request(webhooksRpc.deleteContent, await this.presenter.toFinished(left));
    await this.deletions.deleteWebhookUrl(left.id);
  }
}
