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
