import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import type { ListEventsRequest } from '@kinora/contracts/jobs/events';
import { ListEventsQuery } from '@kinora/contracts/jobs/list-events.query';
import { readQueryAs } from '../http/read-fields';

export const LIST_EVENTS_PARAMS = ['limit', 'after', 'type'] as const satisfies (keyof ListEventsQuery)[];

/** Page size without `limit`, as in other lists (decisions: Reading and listing jobs). */
const DEFAULT_LIMIT = 20;
/** A stream reads full pages; their bytes are bounded by jobs. */
export const STREAM_PAGE = 100;

export function toListEventsRequest(query: unknown, { account_id }: Admission): ListEventsRequest {
  const { limit, ...filters } = readQueryAs(ListEventsQuery, query);
  return { account_id, limit: limit === undefined ? DEFAULT_LIMIT : Number(limit), ...filters };
}
