import { Injectable } from '@nestjs/common';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { EndedJobRepository } from '../../ending/ended-job.repository';
import { JobMonths } from '../../job/job-months';
import { sweepRows } from '../../job/sweep';
import { withoutContent } from '../content-fields';
import { JobDeletion } from '../job-deletion';

/** Deletes the files of an ended job and every text of its client. Its id, states, money and hashes stay: they are the books. */
@Injectable()
export class DeleteContent {
  constructor(
    private readonly deletion: JobDeletion,
    private readonly endedJobs: EndedJobRepository,
    private readonly months: JobMonths,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * The texts of the row go first, then those of its deliveries, then the files. Each step can be repeated, so a repeat completes
   * a request that failed. Without one, the sweeps `content_of_deliveries` and `expired_outputs` do.
   * @throws ApiError capacity while the dispatcher or the store does not answer.
   */
  async execute(ref: JobRef): Promise<Job> {
    const job = await this.deletion.findEnded(ref);
    const left = await this.endedJobs.deleteContent(job.id, withoutContent(job));
    // From here on it is durable. After a restore, operators repeat the deletions that the log has and the rows have not.
    this.logger.info({ job_id: job.id, account_id: job.account_id }, 'job_content_deleted');
    await this.deletion.deleteFromDeliveries(left);
    return this.deletion.deleteFiles(left);
  }

  /** Repeats the deletion from deliveries, where the dispatcher was away and the client does not repeat its request. */
  async finishFailed(): Promise<{ more: boolean }> {
    const jobs = await this.endedJobs.claimUndeletedContents(this.months.monthsWithDeletions);
    return await sweepRows(jobs, this.logger, (job) => this.deletion.deleteFromDeliveries(job));
  }
}
