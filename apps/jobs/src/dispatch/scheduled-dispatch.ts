import { Injectable } from '@nestjs/common';
import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import { JobsConfig } from '../jobs.config';
import { JobRoutes, type WaitingJob } from '../routing/job-routes';
import type { ChosenRoute } from '../routing/router';
import { InstanceRunRepository, type MeasuredCost } from '../scheduling/instance-run.repository';
import type { ScheduledModel } from '../scheduling/to-scheduling-state';
import { ScheduledClaimsRepository } from './scheduled-claims.repository';
import type { OnSubmitted, SubmissionBudget } from './submission';
import { Submissions } from './submissions';

/** Costs change slowly. */
const COSTS_FRESH_MS = 2_000;

interface KnownCosts {
  atMs: number;
  instances: string;
  costs: Promise<MeasuredCost[]>;
}

/** Sends jobs to the instances that need time to load a model, as the plan of the instances says. */
@Injectable()
export class ScheduledDispatch {
  private known: KnownCosts | null = null;

  constructor(
    private readonly config: JobsConfig,
    private readonly claims: ScheduledClaimsRepository,
    private readonly runs: InstanceRunRepository,
    private readonly routes: JobRoutes,
    private readonly submissions: Submissions,
  ) {}

  /** Returns the number of submitted jobs, and whether a provider had no free slot. */
  async serve(models: ScheduledModel[], onSubmitted: OnSubmitted): Promise<{ claimed: number; needsSlot: boolean }> {
    const instances = [...new Set(models.flatMap(({ routes }) => routes.map(({ provider }) => provider)))].sort();
    if (instances.length === 0) return { claimed: 0, needsSlot: false };
    const budget = this.submissions.openBudget();
    const places = await this.routes.freePlaces(instances);
    const needsSlot = budget.full().length > 0;
    if (![...places.values()].some((free) => free > 0)) return { claimed: 0, needsSlot };
    const bounds = { loads: this.config.stayLoads, ms: this.config.staySeconds * 1_000 };
    const claimed = await this.claims.open(
      { bounds, models, places, costs: await this.readCosts(instances) },
      (waiting, instance) => this.choose(waiting, instance, budget),
      (choice) => this.routes.withdraw(choice),
    );
    this.submissions.begin(claimed, onSubmitted);
    return { claimed: claimed.length, needsSlot };
  }

  private async choose(
    waiting: WaitingJob,
    instance: string,
    budget: SubmissionBudget,
  ): Promise<ChosenRoute | 'keep' | 'postpone'> {
    const isElsewhere = ({ provider }: Route): boolean => provider !== instance;
    const others = waiting.job.plan.routes.filter(isElsewhere).map(({ provider }) => provider);
    // A job that has failed at the planned instance, or that it cannot run, is sent to any other one that has a place.
    const choice =
      (await this.routes.choose(waiting, [...budget.full(), ...others])) ??
      (await this.routes.choose(waiting, [...budget.full(), instance]));
    if (choice) {
      budget.take(choice.provider.id);
      return choice;
    }
    return (await this.routes.room(waiting.job)) > 0 ? 'postpone' : 'keep';
  }

  private readCosts(instances: string[]): Promise<MeasuredCost[]> {
    const name = instances.join();
    const { known } = this;
    if (known && known.instances === name && performance.now() - known.atMs < COSTS_FRESH_MS) return known.costs;
    const costs = this.runs.measure(instances);
    this.known = { atMs: performance.now(), instances: name, costs };
    // A failed read is repeated by the next round.
    costs.catch(() => (this.known = null));
    return costs;
  }
}
