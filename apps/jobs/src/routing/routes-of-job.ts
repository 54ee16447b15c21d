import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import type { JobRow } from '../job/job.entity';

/** The routes of a job: those of its model at its creation. */
export function routesOfJob({ plan, provider }: Pick<JobRow, 'plan' | 'provider'>): Route[] {
  return plan.routes ?? [{ provider, weight: 1 }];
}
