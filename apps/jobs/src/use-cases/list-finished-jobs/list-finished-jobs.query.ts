import { Injectable } from '@nestjs/common';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import type { FinishedCursor } from '@kinora/contracts/jobs/jobs.rpc';
import { JobPresenter } from '../../job/job-presenter';
import { JobRepository } from '../../job/job.repository';

@Injectable()
export class ListFinishedJobs {
  constructor(
    private readonly jobs: JobRepository,
    private readonly presenter: JobPresenter,
  ) {}

  /** The events of finished jobs in the order of their end, as they were published, under the same ids. */
  async execute({ after, limit }: { after: FinishedCursor | null; limit: number }): Promise<{
    finished: JobFinished[];
    next: FinishedCursor | null;
  }> {
    const rows = await this.jobs.listFinished(after, limit);
    const last = rows.at(-1);
    return {
      finished: await Promise.all(rows.map((row) => this.presenter.toFinished(row))),
      next: last?.completed_at ? { completed_at: last.completed_at.toISOString(), job_id: last.id } : null,
    };
  }
}
