import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { DeletionRepository } from '../../ending/deletion.repository';
import { DeliveryContent } from '../../ending/delivery-content';
import { JobDeletion } from '../../ending/job-deletion';
import { withoutContent } from '../../job/without-content';

/** Deletes the files of an ended job and every text of its client. Its id, states, money and hashes stay: they are the books. */
@Injectable()
export class DeleteContent {
  constructor(
    private readonly deletion: JobDeletion,
    private readonly deletions: DeletionRepository,
    private readonly deliveries: DeliveryContent,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * The texts of the row go first, then those of its deliveries, then the files. Each step can be repeated, so a repeat completes
   * a request that failed. Without one, the sweeps `content_of_deliveries` and `expired_outputs` do.
   * @throws ApiError capacity while the dispatcher or the store does not answer.
   */
  async execute(ref: JobRef): Promise<Job> {
    const job = await this.deletion.findEnded(ref);
    const left = await this.deletions.deleteContent(job.id, withoutContent(job));
    // From here on it is durable. After a restore, operators repeat the deletions that the log has and the rows have not.
    this.logger.info({ job_id: job.id, account_id: job.account_id }, 'job_content_deleted');
    await this.deliveries.delete(left);
    return this.deletion.deleteFiles(left);
  }
}
