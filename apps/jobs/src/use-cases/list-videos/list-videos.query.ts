import { Injectable } from '@nestjs/common';
import { fitIntoMessage } from '@kinora/bus';
import type { ListVideosRequest, VideoPage } from '@kinora/contracts/jobs/videos.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Cursor } from '../../job/cursor';
import { JobPresenter } from '../../job/job.view';
import { JobRepository } from '../../job/job.repository';
import { LIST_PAGE_MAX_BYTES } from '../../job/list-page';
import { VideoListRepository } from '../../job/video-list.repository';

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
