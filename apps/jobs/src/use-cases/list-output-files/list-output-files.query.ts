import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { JobRef, OutputFile } from '@kinora/contracts/jobs/jobs.rpc';
import { JobRepository } from '../../job/job.repository';

/** The stored files of a job, in the order of its outputs. A job of another account counts as not found. */
@Injectable()
export class ListOutputFiles {
  constructor(private readonly jobs: JobRepository) {}

  async execute({ account_id, job_id }: JobRef): Promise<{ files: OutputFile[] }> {
    const found = await this.jobs.findOfAccount(job_id, account_id);
    if (!found) throw new ApiError('not_found', 'There is no such job.');
    const outputs = found.job.output ?? [];
    return { files: outputs.map(({ object_key, mime, bytes }) => ({ object_key, mime, bytes })) };
  }
}
