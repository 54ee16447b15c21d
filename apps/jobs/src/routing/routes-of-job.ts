import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import type { JobRow } from '../job/job.entity';

/** Where a job may run, as its model's routes were when it was accepted. */
export function routesOfJob({ plan, provider }: Pick<JobRow, 'plan' | 'provider'>): Route[] {
  return plan.routes ?? [{ provider, weight: 1 }];
}
