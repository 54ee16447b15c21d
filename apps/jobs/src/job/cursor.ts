import { ApiError } from '@kinora/contracts/shared/errors';

/** A place in an account's list of jobs: the last one that was shown. */
export interface Cursor {
  createdAt: Date;
  id: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function encodeCursor({ createdAt, id }: Cursor): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

/** @throws ApiError invalid_query for anything that encodeCursor did not make. */
export function decodeCursor(text: string): Cursor {
  const [time = '', id = ''] = Buffer.from(text, 'base64url').toString('utf8').split('.');
  const cursor = { createdAt: new Date(Number(time || Number.NaN)), id };
  const genuine = !Number.isNaN(cursor.createdAt.getTime()) && UUID.test(id) && encodeCursor(cursor) === text;
  if (!genuine)
    throw new ApiError('invalid_query', 'The cursor is not one that this list gave out.', { param: 'cursor' });
  return cursor;
}
