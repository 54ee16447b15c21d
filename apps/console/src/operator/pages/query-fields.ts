import { ApiError } from '@kinora/contracts/shared/errors';

/** The parameters of a list, as they stand in the query of the URL. */
export type ListQuery = Record<string, unknown>;

const MAX_CHARS = 400;

/** The given texts of these names; an empty field of a form counts as left out. @throws ApiError invalid_query */
export function textsOf<Name extends string>(query: ListQuery, ...names: Name[]): Partial<Record<Name, string>> {
  const given: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = query[name];
    if (value === undefined || value === '') continue;
    if (typeof value !== 'string' || value.length > MAX_CHARS)
      throw new ApiError('invalid_query', `${name} must be given once, as a text.`, { param: name });
    given[name] = value;
  }
  return given;
}

/** The `limit` of a list, if it is given. @throws ApiError invalid_query */
export function limitOf(query: ListQuery, max = 100): { limit?: number } {
  const value = query['limit'];
  if (value === undefined || value === '') return {};
  const limit = Number(value);
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return { limit };
  throw new ApiError('invalid_query', `limit must be a whole number from 1 to ${max}.`, { param: 'limit' });
}

/** The cursor of a list whose cursor is the number of its last entry. @throws ApiError invalid_query */
export function entryCursorOf(query: ListQuery): string | undefined {
  const { cursor } = textsOf(query, 'cursor');
  if (cursor === undefined || /^\d{1,15}$/.test(cursor)) return cursor;
  throw new ApiError('invalid_query', 'cursor must be the next_cursor of the previous page.', { param: 'cursor' });
}

/** A list in the form that all lists of the console have. */
export function toPage<Item>(list: { data: Item[]; has_more?: boolean; next_cursor?: string | null }): {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
} {
  return { data: list.data, has_more: list.has_more ?? false, next_cursor: list.next_cursor ?? null };
}
