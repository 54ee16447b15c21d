import { Injectable } from '@nestjs/common';
import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import { Database } from '@kinora/database';
import { JobsConfig } from '../jobs.config';
import { Router } from '../routing/router';
import { type Foreseen, foreseenBacklog, foreseenStart, forecastStarts } from '../scheduling/forecast';
import { InstanceRunRepository } from '../scheduling/instance-run.repository';
import { type QueueHead, QueueHeadsRepository } from '../scheduling/queue-heads.repository';
import { endsOfOpenRuns, toSchedulingState } from '../scheduling/to-scheduling-state';
import { CachedRead } from './cached-read';

const FRESH_MS = 1_000;
/** As many waiting jobs of each model as are read (instance-run.repository.ts). */
const FORECAST_JOBS = 200;

/** A waiting job, by the plan of the instances. */
export interface PlannedStart {
  /** How many jobs are served before it, of all models that share an instance with its model. */
  position: number;
  startsInMs: number;
}

/** The waiting jobs of all models that share an instance with one. */
interface PlannedBacklog {
  before: number;
  roomInMs: number;
}

export interface PlannedEnd {
  runMs: number;
  endsInMs: number;
}

/** A job that may be created. */
interface NewJob {
  model: string;
  account: string;
  routes: Route[];
}

/** By the clocks of the database and of this process. */
interface Outlook extends Foreseen {
  readAtMs: number;
}

/** When jobs at instances that load models are served: the plan of the instances in advance, at most a second old. */
@Injectable()
export class ScheduleOutlook {
  private readonly outlook = new CachedRead(FRESH_MS, () => this.read());
  private readonly heads = new CachedRead<QueueHead[]>(FRESH_MS, () => this.queueHeads.list());
  /** By model: with one more job. */
  private readonly withNewJob = new Map<string, CachedRead<Outlook>>();

  constructor(
    private readonly config: JobsConfig,
    private readonly database: Database,
    private readonly queueHeads: QueueHeadsRepository,
    private readonly runs: InstanceRunRepository,
    private readonly router: Router,
  ) {}

  /** Null unless all routes of the model lead to instances that load models. */
  async startOf(model: string, place: number): Promise<PlannedStart | null> {
    if (this.router.loadingInstances().length === 0) return null;
    return toStart(await this.outlook.get(), model, place);
  }

  /** Null for a job that no such instance has. */
  async endOf(jobId: string): Promise<PlannedEnd | null> {
    if (this.router.loadingInstances().length === 0) return null;
    const outlook = await this.outlook.get();
    const run = outlook.open.find(({ job_id }) => job_id === jobId);
    return run ? { runMs: run.runMs, endsInMs: leftMs(outlook, run.endsAtMs) } : null;
  }

  /** As `startOf`, for a job that would get this place of its model. */
  async startOfNew(job: NewJob, place: number): Promise<PlannedStart | null> {
    if (!this.isPlanned(job.routes)) return null;
    const { model } = job;
    const known = this.withNewJob.get(model) ?? new CachedRead(FRESH_MS, () => this.read(job));
    this.withNewJob.set(model, known);
    const outlook = await known.get();
    return toStart(outlook, model, Math.min(place, (outlook.starts.get(model)?.length ?? 0) - 1));
  }

  /** The models with waiting jobs that share an instance with this one, if all routes of both lead to instances that load models. */
  async modelsBeside({ routes }: Pick<NewJob, 'routes'>): Promise<string[]> {
    if (!this.isPlanned(routes)) return [];
    const own = routes.map(({ provider }) => provider);
    const heads = await this.heads.get();
    return heads.flatMap(({ model, plan }) =>
      this.isPlanned(plan.routes) && plan.routes.some(({ provider }) => own.includes(provider)) ? [model] : [],
    );
  }

  /** How many waiting jobs are served before a new one of this model, and when fewer than the limit are. Null as for `startOf`. */
  async backlogOf(model: string, waiting: number, limit: number): Promise<PlannedBacklog | null> {
    if (this.router.loadingInstances().length === 0) return null;
    const outlook = await this.outlook.get();
    const found = foreseenBacklog(outlook, model, { waiting, limit });
    return found && { before: found.before, roomInMs: leftMs(outlook, found.roomAtMs) };
  }

  private isPlanned(routes: Route[]): boolean {
    return routes.length > 0 && this.router.loadingRoutes(routes).length === routes.length;
  }

  private async read(added?: NewJob): Promise<Outlook> {
    const instances = this.router.loadingInstances();
    const heads = await this.queueHeads.list();
    const queues = heads.map(({ model, plan }) => ({ model, routes: plan.routes }));
    if (added && !queues.some(({ model }) => model === added.model)) queues.push(added);
    const models = queues.filter(({ routes }) => this.isPlanned(routes));
    const [runs, waiting, costs] = await Promise.all([
      this.runs.list(this.database, instances),
      this.runs.listWaiting(
        this.database,
        models.map(({ model }) => model),
      ),
      this.runs.measure(instances),
    ]);
    const nowMs = waiting[0]?.now_ms ?? runs[0]?.now_ms ?? Date.now();
    if (added) waiting.push({ model: added.model, account: added.account, arrivedAtMs: nowMs, now_ms: nowMs });
    const bounds = { loads: this.config.stayLoads, ms: this.config.staySeconds * 1_000 };
    const places = new Map(instances.map((id) => [id, 1]));
    const state = toSchedulingState({ bounds, models, places, runs, waiting, costs, nowMs }, FORECAST_JOBS + 1);
    const readAtMs = performance.now();
    return {
      readAtMs,
      nowMs,
      starts: await forecastStarts(state),
      instances: new Map(models.map(({ model, routes }) => [model, routes.map(({ provider }) => provider)])),
      open: endsOfOpenRuns({ runs, costs, models, nowMs }),
    };
  }
}

function toStart(outlook: Outlook, model: string, place: number): PlannedStart | null {
  const found = foreseenStart(outlook, model, place);
  return found && { position: found.before, startsInMs: leftMs(outlook, found.atMs) };
}

function leftMs({ nowMs, readAtMs }: Outlook, atMs: number): number {
  return Math.max(0, atMs - nowMs - (performance.now() - readAtMs));
}
