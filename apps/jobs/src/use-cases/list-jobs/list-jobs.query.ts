import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import type { ListJobsRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { decodeCursor, encodeCursor } from '../../job/cursor';
import { JobPresenter } from '../../job/job.view';
import { JobRepository } from '../../job/job.repository';

/** A hundred jobs of a usual size. The jobs and the gateway write and read a page at one go: others wait meanwhile. */
export const LIST_PAGE_MAX_BYTES = 256 * 1024;

@Injectable()
export class ListJobs {
  constructor(
    private readonly jobs: JobRepository,
    private readonly presenter: JobPresenter,
  ) {}

  /** A page of the account's jobs, newest first, and no more of them than LIST_PAGE_MAX_BYTES; the cursor names the last one shown, so new jobs do not shift it. */
  async execute({ account_id: accountId, limit, cursor, status, model }: ListJobsRequest): Promise<JobList> {
    const before = cursor === undefined ? null : decodeCursor(cursor);
    const filter = { status: status ?? null, model: model ?? null, before, limit: limit + 1 };
    const rows = await this.jobs.list(accountId, filter);
    // Signed URLs are most of a short job, so a page is measured as it is shown.
    const found = await Promise.all(rows.map((row) => this.presenter.toJob(row)));
    const cursorOf = ({ created_at, id }: Job): string => encodeCursor({ createdAt: new Date(created_at), id });
    return { object: 'list', ...toPage(found, { limit, maxBytes: LIST_PAGE_MAX_BYTES, cursorOf }) };
  }
}
