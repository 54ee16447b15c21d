import { Injectable } from '@nestjs/common';
import { JobRepository } from '../../job/job.repository';

/** A gateway asks for the jobs that it watches in pages of this size. */
const MAX_IDS = 1_000;

@Injectable()
export class ListEndedJobs {
  constructor(private readonly jobs: JobRepository) {}

  /** The ids of all accounts, because it returns nothing but which of the given ids have ended. */
  async execute(jobIds: string[]): Promise<{ ended: string[] }> {
    return { ended: await this.jobs.listEnded(jobIds.slice(0, MAX_IDS)) };
  }
}
