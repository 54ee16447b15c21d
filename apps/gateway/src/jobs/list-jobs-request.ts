import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import type { ListJobsRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { ListJobsQuery } from '@kinora/contracts/jobs/list-jobs.query';
import { readQueryAs } from '../http/read-fields';

export const LIST_JOBS_PARAMS = ['limit', 'cursor', 'status', 'model'] as const satisfies (keyof ListJobsQuery)[];

/** Page size without `limit` (decisions: Reading and listing jobs). */
const DEFAULT_LIMIT = 20;

export function toListJobsRequest(query: unknown, { account_id }: Admission): ListJobsRequest {
  const { limit, ...filters } = readQueryAs(ListJobsQuery, query);
  return { account_id, limit: limit === undefined ? DEFAULT_LIMIT : Number(limit), ...filters };
}
