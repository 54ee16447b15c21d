import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { ListVideosQuery } from '@kinora/contracts/jobs/list-videos.query';
import type { ListVideosRequest } from '@kinora/contracts/jobs/videos.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isUuid } from '../../http/addressed-id.decorator';
import { readQueryAs } from '../../http/read-fields';
import { DEFAULT_LIMIT } from '../../account/read-page';
import { withoutApiVersion } from '../openai-route';

export const LIST_VIDEOS_PARAMS = ['limit', 'after', 'order'] as const satisfies (keyof ListVideosQuery)[];

/** @throws ApiError invalid_query */
export function toListVideosRequest(query: unknown, { account_id }: Admission): ListVideosRequest {
  const { limit, after, order = 'desc' } = readQueryAs(ListVideosQuery, withoutApiVersion(query));
  if (after !== undefined && !isUuid(after))
    throw new ApiError('invalid_query', 'after must be the id of a video of this account.', { param: 'after' });
  return {
    account_id,
    limit: limit === undefined ? DEFAULT_LIMIT : Number(limit),
    order,
    ...(after !== undefined && { after: after.toLowerCase() }),
  };
}
