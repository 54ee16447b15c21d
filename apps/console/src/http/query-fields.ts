import { ApiError } from '@kinora/contracts/shared/errors';
import type { Page, PartialList } from '@kinora/contracts/shared/page';

/** The parameters of a list, as they stand in the query of the URL. */
export type ListQuery = Record<string, unknown>;
export type GivenQuery<Name extends string> = Partial<Record<Exclude<Name, 'limit'>, string>> & { limit?: number };

/** The parameters of every list with a cursor. */
export const PAGE = ['limit', 'cursor'] as const;
/** Those of a list of requests, which checks them itself. */
export const REQUESTS = ['status', 'code', 'route', 'api_key_id', 'source', 'request_id', ...PAGE] as const;

const MAX_CHARS = 400;
const MAX_LIMIT = 100;

/** The given parameters of these names; an empty field of a form counts as left out. @throws ApiError invalid_query */
export function queryOf(query: ListQuery, names: readonly string[]): Record<string, string | number> {
  const given: Record<string, string> = {};
  for (const name of names) {
    const value = query[name];
    if (value === undefined || value === '') continue;
    if (name !== 'limit' && (typeof value !== 'string' || value.length > MAX_CHARS))
      throw new ApiError('invalid_query', `${name} must be given once, as a text.`, { param: name });
    given[name] = value as string;
  }
  const { limit: text, ...texts } = given;
  if (text === undefined) return texts;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return { ...texts, limit };
  throw new ApiError('invalid_query', `limit must be a whole number from 1 to ${MAX_LIMIT}.`, { param: 'limit' });
}

/** The cursor of a list whose cursor is the number of its last entry. @throws ApiError invalid_query */
export function checkEntryCursor(cursor: string | undefined): void {
  if (cursor === undefined || /^\d{1,15}$/.test(cursor)) return;
  throw new ApiError('invalid_query', 'cursor must be the next_cursor of the previous page.', { param: 'cursor' });
}

export type Listed<Item> = Omit<Page<Item>, 'object'>;

/** A list in the form that all lists of the console have. */
export async function page<Item>(list: PartialList<Item> | Promise<PartialList<Item>>): Promise<Listed<Item>> {
  const { data, has_more = false, next_cursor = null } = await list;
  return { data, has_more, next_cursor };
}
