import { ApiError } from '@kinora/contracts/shared/errors';

/** A place in an account's list of jobs: the last one that was shown. */
export interface Cursor {
  createdAt: Date;
  id: string;
}

/** Unix time in milliseconds, and the id that tells jobs of one millisecond apart. */
const CURSOR = /^(\d{13})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function encodeCursor({ createdAt, id }: Cursor): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

/** @throws ApiError invalid_query for anything that encodeCursor did not make. */
export function decodeCursor(text: string): Cursor {
  const [, time, id] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const cursor = time && id ? { createdAt: new Date(Number(time)), id } : null;
  // Compared as text too: the decoder overlooks letters that do not belong.
  if (cursor && encodeCursor(cursor) === text) return cursor;
  throw new ApiError('invalid_query', 'The cursor is not one that this list gave out.', { param: 'cursor' });
}
