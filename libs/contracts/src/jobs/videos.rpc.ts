import { rpc } from '../shared/contract';
import type { Job } from './job';

/** A page of the videos of an account, without those whose content is deleted. */
export interface ListVideosRequest {
  account_id: string;
  limit: number;
  /** The id of the last video of the previous page. */
  after?: string;
  /** By the time of creation. */
  order: 'asc' | 'desc';
}

/** At most the requested number of videos, and fewer if a message carries no more. */
export interface VideoPage {
  videos: Job[];
  /** Whether more follow. */
  has_more: boolean;
}

export const videosRpc = {
  /** Throws invalid_query where `after` is no video of the account. */
  list: rpc<ListVideosRequest, VideoPage>('jobs.v1.list_videos', { errors: ['invalid_query'] }),
} as const;
