import { ApiError } from '@kinora/contracts/shared/errors';

/** The rows of a list to read. */
export interface PagePlace {
  /** The id of the last row on the previous page; null for the first page. */
  cursor: string | null;
  /** One more than the page size, to detect whether more rows follow. */
  limit: number;
}

/** Of a page that a client reads, like that of (API: GET /jobs). */
export const PUBLIC_PAGE_MAX_BYTES = 256 * 1024;

export function invalidCursor(): ApiError {
  const message = 'The cursor is not valid. Use the next_cursor of the previous page.';
  return new ApiError('invalid_query', message, { param: 'cursor' });
}
