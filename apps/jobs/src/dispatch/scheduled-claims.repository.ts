import { Injectable } from '@nestjs/common';
import { Database, type Queryable, statement } from '@kinora/database';
import type { WaitingJob } from '../routing/job-routes';
import { InstanceRunRepository, type MeasuredCost } from '../scheduling/instance-run.repository';
import { planInstances } from '../scheduling/plan-instances';
import type { Grant, StayBounds } from '../scheduling/scheduling-state';
import { type ScheduledModel, toSchedulingState } from '../scheduling/to-scheduling-state';
import {
  type ChosenProvider,
  type ClaimedJob,
  claimSlots,
  NEXT_IN_MODEL_QUEUE,
  type NextJob,
  openAttempts,
  POSTPONE,
} from './job-claims.repository';

/** One process at a time plans and claims, so all plan from the same rows, and never load one model twice for one job. */
const LOCK_SCHEDULE = statement('schedule_lock', `SELECT pg_advisory_xact_lock(hashtext('kinora_schedule'))`);

/** How many jobs in a row are postponed for one place. */
const MAX_POSTPONED = 8;

/** What a plan is made of, besides the rows that it reads under its lock. */
export interface ScheduleInputs {
  bounds: StayBounds;
  models: ScheduledModel[];
  places: ReadonlyMap<string, number>;
  costs: MeasuredCost[];
}

interface ScheduledChoice extends ChosenProvider {
  template: string | undefined;
}

/** Decides about one job for an instance: its route, or `postpone` if the job cannot run now, or `keep`. */
export type ChooseAt<Choice> = (waiting: WaitingJob, instance: string) => Promise<Choice | 'keep' | 'postpone'>;

/** Claims the jobs that the plan sends to instances that load models. */
@Injectable()
export class ScheduledClaimsRepository {
  constructor(
    private readonly database: Database,
    private readonly runs: InstanceRunRepository,
  ) {}

  async open<Choice extends ScheduledChoice>(
    inputs: ScheduleInputs,
    choose: ChooseAt<Choice>,
    release: (choice: Choice) => void,
  ): Promise<ClaimedJob<Choice>[]> {
    let chosen: Choice[] = [];
    const chooseAt: ChooseAt<Choice> = async (waiting, instance) => {
      const choice = await choose(waiting, instance);
      if (typeof choice === 'object') chosen.push(choice);
      return choice;
    };
    const releaseAllBut = (claimed: ClaimedJob<Choice>[]): void => {
      for (const choice of chosen) if (!claimed.some((one) => one.choice === choice)) release(choice);
      chosen = [];
    };
    try {
      const claimed = await this.database.transaction((transaction) => {
        // The transaction may run again after a deadlock, and then chooses anew.
        releaseAllBut([]);
        return this.claimAll(transaction, inputs, chooseAt);
      });
      releaseAllBut(claimed);
      return claimed;
    } catch (error) {
      releaseAllBut([]);
      throw error;
    }
  }

  private async claimAll<Choice extends ScheduledChoice>(
    transaction: Queryable,
    inputs: ScheduleInputs,
    choose: ChooseAt<Choice>,
  ): Promise<ClaimedJob<Choice>[]> {
    await transaction.query(LOCK_SCHEDULE);
    const runs = await this.runs.list(transaction, [...inputs.places.keys()]);
    const waiting = await this.runs.listWaiting(
      transaction,
      inputs.models.map(({ model }) => model),
    );
    const state = toSchedulingState({ ...inputs, runs, waiting, nowMs: waiting[0]?.now_ms ?? 0 });
    const loaded = new Map(state.instances.map((instance) => [instance.id, instance.loaded]));
    const claimed: ClaimedJob<Choice>[] = [];
    for (const grant of planInstances(state)) {
      const one = await this.claim(transaction, grant, choose);
      if (!one) continue;
      const { job, attempt, choice } = one;
      const template = choice.template ?? job.model;
      const { provider, number } = attempt;
      const { account_id, model, created_at: arrived_at } = job;
      const is_load = loaded.get(provider) !== template;
      await this.runs.add(transaction, {
        job_id: job.id,
        number,
        provider,
        account_id,
        model,
        template,
        arrived_at,
        is_load,
      });
      loaded.set(provider, template);
      claimed.push(one);
    }
    return claimed;
  }

  private async claim<Choice extends ScheduledChoice>(
    transaction: Queryable,
    { model, instance }: Grant,
    choose: ChooseAt<Choice>,
  ): Promise<ClaimedJob<Choice> | null> {
    for (let postponed = 0; postponed < MAX_POSTPONED; postponed++) {
      const [job] = await transaction.query<NextJob>(NEXT_IN_MODEL_QUEUE, [model, 1]);
      if (!job) return null;
      const choice = await choose({ job, failedAt: job.failed_at, refusedAt: job.refused_at }, instance);
      if (choice === 'keep') return null;
      if (choice === 'postpone') {
        await transaction.execute(POSTPONE, [[job.id]]);
        continue;
      }
      const request = { provider: choice.provider.id, accountId: job.account_id, slots: choice.slots };
      const [isFree] = await claimSlots(transaction, [request]);
      const [claimed] = isFree ? await openAttempts(transaction, [{ job, choice }]) : [];
      return claimed ?? null;
    }
    return null;
  }
}
