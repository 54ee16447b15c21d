import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import type { ListJobsRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { decodeCursor, encodeCursor } from '../../job/cursor';
import { JobPresenter } from '../../job/job.view';
import { LIST_PAGE_MAX_BYTES } from '../../job/list-page';
import { JobRepository } from '../../job/job.repository';

@Injectable()
export class ListJobs {
  constructor(
    private readonly jobs: JobRepository,
    private readonly presenter: JobPresenter,
  ) {}

  /**
   * A page of the account's jobs, newest first, of LIST_PAGE_MAX_BYTES at most. The cursor names the last job shown, so new
   * jobs do not shift it.
   */
  async execute({ account_id: accountId, limit, cursor, status, model }: ListJobsRequest): Promise<JobList> {
    const before = cursor === undefined ? null : decodeCursor(cursor);
    const filter = { status: status ?? null, model: model ?? null, before, limit: limit + 1 };
    const rows = await this.jobs.list(accountId, filter);
    // Signed URLs are the largest part of a short job, so the size of a page includes them.
    const found = await Promise.all(rows.map((row) => this.presenter.toJob(row)));
    const cursorOf = ({ created_at, id }: Job): string => encodeCursor({ createdAt: new Date(created_at), id });
    return { object: 'list', ...toPage(found, { limit, maxBytes: LIST_PAGE_MAX_BYTES, cursorOf }) };
  }
}
