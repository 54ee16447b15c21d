import { ApiError } from '@kinora/contracts/shared/errors';
import { findFieldProblem } from '@kinora/contracts/shared/field-problem';
import { isRecord } from '@kinora/contracts/shared/texts';
import { PageQuery } from '@kinora/contracts/shared/page';
import { sentFields } from '@kinora/contracts/shared/compiled-fields';
import { shownParam } from './error-answer';
import type { ReceivedBody } from './received-body';

/** The body that a class describes. @throws ApiError invalid_body that names the first offending field */
export function readBodyAs<Body extends object>(bodyClass: new () => Body, received: unknown): Body {
  return readFieldsAs(bodyClass, received, 'invalid_body');
}

/** The same for a route whose body may be omitted. */
export function readOptionalBodyAs<Body extends object>(
  bodyClass: new () => Body,
  received: ReceivedBody | undefined,
): Body {
  return readBodyAs(bodyClass, received === undefined ? {} : received.value);
}

/** The query that a class describes. @throws ApiError invalid_query that names the first offending parameter */
export function readQueryAs<Query extends object>(queryClass: new () => Query, received: unknown): Query {
  return readFieldsAs(queryClass, received, 'invalid_query');
}

function readFieldsAs<Fields extends object>(
  fieldsClass: new () => Fields,
  received: unknown,
  code: 'invalid_body' | 'invalid_query',
): Fields {
  if (!isRecord(received)) throw new ApiError(code, 'The body must be a JSON object.');
  const problem = findFieldProblem(fieldsClass, received);
  if (problem === null) return sentFields(received) as Fields;
  const param = shownParam(problem.param);
  throw new ApiError(code, `${param} ${problem.message}.`, { param });
}

export const PAGE_PARAMS = ['limit', 'cursor'] as const satisfies (keyof PageQuery)[];

/** Page size without `limit` (decisions: Reading and listing jobs). */
const DEFAULT_LIMIT = 20;

/** The page of a list, and its filters. @throws ApiError invalid_query */
export function readPageAs<Query extends { limit?: string }>(
  queryClass: new () => Query,
  received: unknown,
): Omit<Query, 'limit'> & { limit: number } {
  const query = readQueryAs(queryClass, received);
  return { ...query, limit: query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit) };
}

/** The page of a list without filters. @throws ApiError invalid_query */
export function readPage(query: unknown): { limit: number; cursor?: string } {
  return readPageAs(PageQuery, query);
}
