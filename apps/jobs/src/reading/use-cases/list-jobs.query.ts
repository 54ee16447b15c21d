import { Injectable } from '@nestjs/common';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import type { ListJobsRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { ListVideosRequest, VideoPage } from '@kinora/contracts/jobs/videos.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { fitIntoMessage, toPage } from '@kinora/bus';
import { type Cursor, decodeCursor, encodeCursor, LIST_PAGE_MAX_BYTES } from '../../job/cursor';
import { JobRepository } from '../../job/job.repository';
import { JobPresenter } from '../../job/job.view';
import { VideoListRepository } from '../video-list.repository';

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

/** A page of the account's videos, by the time of their creation, of LIST_PAGE_MAX_BYTES at most. */
@Injectable()
export class ListVideos {
  constructor(
    private readonly jobs: JobRepository,
    private readonly videos: VideoListRepository,
    private readonly presenter: JobPresenter,
  ) {}

  async execute({ account_id: accountId, limit, after, order }: ListVideosRequest): Promise<VideoPage> {
    const from = after === undefined ? null : await this.placeOf(after, accountId);
    const rows = await this.videos.list(accountId, { after: from, order, limit: limit + 1 });
    const found = await Promise.all(rows.map((row) => this.presenter.toJob(row)));
    const videos = fitIntoMessage(found.slice(0, limit), LIST_PAGE_MAX_BYTES);
    return { videos, has_more: videos.length < found.length };
  }

  private async placeOf(id: string, accountId: string): Promise<Cursor> {
    const found = await this.jobs.findOfAccount(id, accountId);
    if (found?.job.kind === 'video.generation') return { createdAt: found.job.created_at, id };
    throw new ApiError('invalid_query', 'after must be the id of a video of this account.', { param: 'after' });
  }
}
