import { Injectable } from '@nestjs/common';
import type { FinishedCursor, FinishedPage } from '@kinora/contracts/jobs/jobs.rpc';
import { fitIntoMessage } from '@kinora/bus';
import { JobRepository } from '../../job/job.repository';
import { JobPresenter } from '../../job/job.view';

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
