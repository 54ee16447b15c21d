import { Injectable } from '@nestjs/common';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { ObjectStore } from '@kinora/object-store';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { EndedJobRepository } from '../../ending/ended-job.repository';
import { JobMonths } from '../../job/job-months';
import { sweepRows } from '../../job/sweep';
import { JobDeletion } from '../job-deletion';

/** Deletes the outputs of an ended job when its account requests it; the job keeps their entries, without URLs. */
@Injectable()
export class DeleteOutputs {
  constructor(
    private readonly deletion: JobDeletion,
    private readonly endedJobs: EndedJobRepository,
    private readonly months: JobMonths,
    private readonly objects: ObjectStore,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * The files are deleted when this returns. If the store does not answer, it throws `capacity`: the job shows no links any more,
   * and a repeat, or the sweep of expired outputs, deletes the files.
   */
  async execute(ref: JobRef): Promise<Job> {
    const { id, account_id } = await this.deletion.findEnded(ref);
    const job = await this.endedJobs.requestDeletion(id);
    // From here on it is durable. After a restore, operators repeat the deletions that the log has and the rows have not.
    this.logger.info({ job_id: id, account_id }, 'job_outputs_deleted');
    return this.deletion.deleteFiles(job);
  }

  /** Deletes outputs at the end of the account's retention; the job keeps its entries, without URLs. */
  async deleteExpired(): Promise<{ more: boolean }> {
    return await sweepRows(
      await this.endedJobs.claimExpiredOutputs(this.months.monthsWithDeletions),
      this.logger,
      async ({ id, output }) => {
        await this.objects.deleteMany((output ?? []).map(({ object_key }) => object_key));
        await this.endedJobs.markOutputsDeleted(id);
      },
    );
  }
}
