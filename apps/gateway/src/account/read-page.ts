import { PageQuery } from '@kinora/contracts/shared/page.query';
import { readQueryAs } from '../http/read-fields';

export const PAGE_PARAMS = ['limit', 'cursor'] as const satisfies (keyof PageQuery)[];

/** Page size without `limit`. */
export const DEFAULT_LIMIT = 20;

/** The page of a list without filters. @throws ApiError invalid_query */
export function readPage(query: unknown): { limit: number; cursor?: string } {
  const { limit, ...cursor } = readQueryAs(PageQuery, query);
  return { limit: limit === undefined ? DEFAULT_LIMIT : Number(limit), ...cursor };
}
