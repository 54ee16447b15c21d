import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { DeletionRepository } from '../../ending/deletion.repository';
import { JobDeletion } from '../../ending/job-deletion';

/** Deletes the outputs of an ended job when its account requests it; the job keeps their entries, without URLs. */
@Injectable()
export class DeleteOutputs {
  constructor(
    private readonly deletion: JobDeletion,
    private readonly deletions: DeletionRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * The files are deleted when this returns. If the store does not answer, it throws `capacity`: the job shows no links any more,
   * and a repeat, or the sweep of expired outputs, deletes the files.
   */
  async execute(ref: JobRef): Promise<Job> {
    const { id, account_id } = await this.deletion.findEnded(ref);
    const job = await this.deletions.request(id);
    // From here on it is durable. After a restore, operators repeat the deletions that the log has and the rows have not.
    this.logger.info({ job_id: id, account_id }, 'job_outputs_deleted');
    return this.deletion.deleteFiles(job);
  }
}
