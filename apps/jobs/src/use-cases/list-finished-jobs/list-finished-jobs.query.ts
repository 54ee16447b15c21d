import { Injectable } from '@nestjs/common';
import { fitIntoMessage } from '@kinora/bus';
import type { FinishedCursor, FinishedPage } from '@kinora/contracts/jobs/jobs.rpc';
import { JobPresenter } from '../../job/job.view';
import { JobRepository } from '../../job/job.repository';

@Injectable()
export class ListFinishedJobs {
  constructor(
    private readonly jobs: JobRepository,
    private readonly presenter: JobPresenter,
  ) {}

  /** The events of finished jobs in the order of their end, as they were published, under the same ids. */
  async execute({ after, limit }: { after: FinishedCursor | null; limit: number }): Promise<FinishedPage> {
    // The clock is read before the list, so that jobs which end in between are later than the returned time.
    const readAt = await this.jobs.readClock();
    const rows = await this.jobs.listFinished(after, limit + 1);
    const found = await Promise.all(rows.map((row) => this.presenter.toFinished(row)));
    const finished = fitIntoMessage(found.slice(0, limit));
    const last = finished.at(-1)?.job;
    return {
      finished,
      next: last?.completed_at ? { completed_at: last.completed_at, job_id: last.id } : null,
      has_more: finished.length < found.length,
      read_at: readAt.toISOString(),
    };
  }
}
