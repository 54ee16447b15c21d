import { Injectable } from '@nestjs/common';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import { JobDeletion } from '../../ending/job-deletion';

/** Deletes the outputs of an ended job when its account requests it; the job keeps their entries, without URLs. */
@Injectable()
export class DeleteOutputs {
  constructor(private readonly deletion: JobDeletion) {}

  /**
   * The files are deleted when this returns. If the store does not answer, it throws `capacity`: the job shows no links any more,
   * and a repeat, or the sweep of expired outputs, deletes the files.
   */
  async execute(ref: JobRef): Promise<Job> {
    const job = await this.deletion.begin(ref);
    return this.deletion.deleteFiles(job);
  }
}
