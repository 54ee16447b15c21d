import { ApiError } from '@kinora/contracts/shared/errors';

/** A position in an account's list of jobs: the last job that was shown. */
export interface Cursor {
  createdAt: Date;
  id: string;
}

/** Unix time in milliseconds, and the id, which orders jobs of the same millisecond. */
const CURSOR = /^(\d{13})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function encodeCursor({ createdAt, id }: Cursor): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

/** @throws ApiError invalid_query for anything that encodeCursor did not make. */
export function decodeCursor(text: string): Cursor {
  const [, time, id] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const cursor = time && id ? { createdAt: new Date(Number(time)), id } : null;
  // Compared as text too, because the decoder ignores invalid characters.
  if (cursor && encodeCursor(cursor) === text) return cursor;
  throw new ApiError('invalid_query', 'The cursor is not valid. Use the next_cursor of the previous page.', {
    param: 'cursor',
  });
}

/** A hundred jobs of a usual size. The jobs service and the gateway serialize a page in one step, which blocks other requests. */
export const LIST_PAGE_MAX_BYTES = 256 * 1024;

/** The event that a reader has seen last: by its place, or by its job where the reader names the id of the event. */
export type FeedCursor = { number: number; token: string } | { jobId: string };

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const PLACE = new RegExp(`^(\\d{1,15})\\.(${UUID})$`);
const EVENT_ID = /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

export function encodeFeedCursor({ number, token }: { number: number; token: string }): string {
  return Buffer.from(`${number}.${token}`).toString('base64url');
}

/** @throws ApiError invalid_query for anything that is neither a cursor nor the id of an event. */
export function decodeFeedCursor(text: string): FeedCursor {
  const [, ...parts] = EVENT_ID.exec(text) ?? [];
  if (parts.length > 0) return { jobId: parts.join('-') };
  const [, number, token] = PLACE.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const cursor = number && token ? { number: Number(number), token } : null;
  // Compared as text too, because the decoder ignores invalid characters.
  if (cursor && encodeFeedCursor(cursor) === text) return cursor;
  throw new ApiError(
    'invalid_query',
    'after is not valid. Use the next_cursor of the previous page, or the id of an event.',
    {
      param: 'after',
    },
  );
}

/** For a cursor of events that are pruned, of another account, or from before a restore. */
export function feedCursorGone(): ApiError {
  return new ApiError(
    'invalid_query',
    'after names an event that is not in the feed any more. Events may be missed: list the jobs, then read the feed without after.',
    { param: 'after' },
  );
}
