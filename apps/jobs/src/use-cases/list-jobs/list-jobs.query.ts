import { Injectable } from '@nestjs/common';
import type { JobList } from '@kinora/contracts/jobs/job';
import type { ListJobsRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { decodeCursor, encodeCursor } from '../../job/cursor';
import { JobPresenter } from '../../job/job-presenter';
import { JobRepository } from '../../job/job.repository';

@Injectable()
export class ListJobs {
  constructor(
    private readonly jobs: JobRepository,
    private readonly presenter: JobPresenter,
  ) {}

  /** A page of the account's jobs, newest first; the cursor names the last one shown, so new jobs do not shift it. */
  async execute({ account_id: accountId, limit, cursor, status, model }: ListJobsRequest): Promise<JobList> {
    const before = cursor === undefined ? null : decodeCursor(cursor);
    const filter = { status: status ?? null, model: model ?? null, before, limit: limit + 1 };
    const rows = await this.jobs.list(accountId, filter);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      object: 'list',
      data: await Promise.all(page.map((row) => this.presenter.toJob(row))),
      has_more: last !== undefined,
      next_cursor: last ? encodeCursor({ createdAt: last.created_at, id: last.id }) : null,
    };
  }
}
