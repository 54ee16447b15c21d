import { Injectable } from '@nestjs/common';
import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import type { JobRow } from '../job/job.entity';
import { toTaskFacts } from '../job/task-facts';
import { type ChosenRoute, Router } from './router';

export interface WaitingJob {
  job: JobRow;
  /** The instances at which it has failed: it is not sent there again. */
  failedAt: string[];
  /** The instances that had no room for it: others are preferred. */
  refusedAt: string[];
}

type RoutedRow = Pick<JobRow, 'account_id' | 'plan' | 'provider'>;

/** The instances that a waiting job may be sent to. */
@Injectable()
export class JobRoutes {
  constructor(private readonly router: Router) {}

  /** How many jobs like this one, of the same account, can be sent now. */
  room(job: RoutedRow): Promise<number> {
    return this.router.room(job.plan.routes, job.account_id);
  }

  /** How many jobs like this one, of any account, can be sent now. */
  commonRoom(job: RoutedRow): Promise<number> {
    return this.router.commonRoom(job.plan.routes);
  }

  /** How many jobs like this one can be sent now for accounts without tasks at the instances. */
  newcomerRoom(job: RoutedRow): Promise<number> {
    return this.router.newcomerRoom(job.plan.routes);
  }

  /** The job's routes to instances that need time to load a model. */
  loadingRoutes(job: RoutedRow): Route[] {
    return this.router.loadingRoutes(job.plan.routes);
  }

  freePlaces(instances: string[]): Promise<Map<string, number>> {
    return this.router.freePlaces(instances);
  }

  hasFewSlots(job: RoutedRow): boolean {
    return this.router.hasFewSlots(job.plan.routes);
  }

  /** Takes a place for the job at an instance that is not in `closed`. Null if there is none now. */
  choose({ job, failedAt, refusedAt }: WaitingJob, closed: string[]): Promise<ChosenRoute | null> {
    const avoided = [...failedAt, ...closed];
    const routes = job.plan.routes.filter(({ provider }) => !avoided.includes(provider));
    return this.router.choose({
      id: job.id,
      accountId: job.account_id,
      routes,
      task: toTaskFacts(job, job.id),
      tried: refusedAt,
    });
  }

  /** Releases a place to which nothing was sent. */
  withdraw({ provider }: ChosenRoute): void {
    this.router.withdraw(provider.id);
  }

  /** Whether another instance could run the job, now or later. */
  hasOther(job: JobRow, avoided: string[]): boolean {
    const routes = job.plan.routes.filter(({ provider }) => !avoided.includes(provider));
    return this.router.findUnsupportedReasons(routes, toTaskFacts(job, job.id)) === null;
  }
}
