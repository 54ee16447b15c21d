import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import type { InstanceRun, MeasuredCost, WaitingJobRow } from './instance-run.repository';
import type { InstanceState, ModelRoute, PastRun, SchedulingState, StayBounds, WaitingModel } from './scheduling-state';

/** Until a run is measured. */
const UNKNOWN_RUN_MS = 5_000;
/** Until a load is measured, where the catalog names none. */
const UNKNOWN_LOAD_MS = 10_000;
/** Of the first run after a load, until another run is measured. */
const LOAD_PART = UNKNOWN_LOAD_MS / (UNKNOWN_LOAD_MS + UNKNOWN_RUN_MS);
/** As many of a model's next jobs as the plan compares. */
const NEXT_JOBS = 32;
/** A job that was given away sooner has not waited. */
const AT_ONCE_MS = 1_000;

/** A model with waiting jobs, and its routes to instances that load models. */
export interface ScheduledModel {
  model: string;
  routes: Route[];
}

export interface SchedulingRows {
  bounds: StayBounds;
  models: ScheduledModel[];
  /** By instance: how many more tasks it may get now. */
  places: ReadonlyMap<string, number>;
  runs: InstanceRun[];
  waiting: WaitingJobRow[];
  costs: MeasuredCost[];
  nowMs: number;
}

/** The name of what an instance loads for a model. */
export function templateOf(route: Route, model: string): string {
  return route.template ?? model;
}

/** What the plan of the instances depends on, from rows that all processes read alike. */
export function toSchedulingState(
  { bounds, models, places, runs, waiting, costs, nowMs }: SchedulingRows,
  nextJobs = NEXT_JOBS,
): SchedulingState {
  const costOf = toCosts(costs, models);
  const queues = models.map(({ model, routes }): WaitingModel => {
    const own = waiting.filter((row) => row.model === model);
    return {
      model,
      routes: routes.map((route) => toModelRoute(route, templateOf(route, model), costOf)),
      next: own.slice(0, nextJobs).map(({ account, arrivedAtMs }) => ({ account, arrivedAtMs })),
      waiting: own.length,
    };
  });
  const known = new Set(models.map(({ model }) => model));
  const idle = runs.filter(({ model }) => !known.has(model)).map(({ model }) => model);
  for (const model of new Set(idle)) queues.push(toIdleQueue(model, runs, costOf));
  const instances = [...places].map(([id, free]) => {
    const ofInstance = runs.filter(({ provider }) => provider === id);
    return toInstance(id, free, ofInstance, nowMs, ({ template }) => costOf(id, template));
  });
  return { nowMs, bounds, instances, queues, past: busyPeriod(runs) };
}

/** A model without waiting jobs, whose past runs the plan has to place. */
function toIdleQueue(model: string, runs: InstanceRun[], costOf: CostOf): WaitingModel {
  const routes = new Map(
    runs
      .filter((run) => run.model === model)
      .map(({ provider, template }) => [provider, toModelRoute({ provider, weight: 1 }, template, costOf)]),
  );
  return { model, routes: [...routes.values()], next: [], waiting: 0 };
}

/** What a run and a load of a template take at an instance. */
type CostOf = (provider: string, template: string) => { runMs: number; loadMs: number };

interface Measured {
  provider: string;
  template: string;
  ms: number;
}

/**
 * A load is the time after a change of model minus the usual time. What is not measured yet is taken to be as the same template
 * elsewhere, or as the other templates of the instance; a load first of all as the route names it.
 */
function toCosts(costs: MeasuredCost[], models: ScheduledModel[]): CostOf {
  const priors = models.flatMap(({ model, routes }) =>
    routes.map((route) => ({ provider: route.provider, template: templateOf(route, model), ms: route.load_ms })),
  );
  const runs: Measured[] = costs.filter(({ is_load }) => !is_load);
  const firsts: Measured[] = costs.filter(({ is_load }) => is_load);
  const loads = firsts.flatMap((first) => {
    const run = runs.find(isOf(first));
    return run ? [{ ...first, ms: Math.max(0, first.ms - run.ms) }] : [];
  });
  return (provider, template) => {
    const at = { provider, template };
    const prior = priors.find(isOf(at))?.ms;
    const loadMs = loads.find(isOf(at))?.ms ?? prior ?? closest(loads, at) ?? UNKNOWN_LOAD_MS;
    const firstMs = firsts.find(isOf(at))?.ms;
    const restMs = firstMs === undefined ? undefined : firstMs - Math.min(loadMs, firstMs * LOAD_PART);
    return { runMs: runs.find(isOf(at))?.ms ?? restMs ?? closest(runs, at) ?? UNKNOWN_RUN_MS, loadMs };
  };
}

function isOf(at: Pick<Measured, 'provider' | 'template'>): (one: typeof at) => boolean {
  return ({ provider, template }) => provider === at.provider && template === at.template;
}

function closest(measured: Measured[], at: Pick<Measured, 'provider' | 'template'>): number | undefined {
  const alike = measured.filter(({ template }) => template === at.template);
  const known = alike.length > 0 ? alike : measured.filter(({ provider }) => provider === at.provider);
  return known.map(({ ms }) => ms).sort((one, other) => one - other)[known.length >> 1];
}

function toModelRoute(route: Route, template: string, costOf: CostOf): ModelRoute {
  const { provider: instance, order = 0, weight } = route;
  return { instance, template, order, weight, ...costOf(instance, template) };
}

function toInstance(
  id: string,
  places: number,
  runs: InstanceRun[],
  nowMs: number,
  costOf: (run: InstanceRun) => ReturnType<CostOf>,
): InstanceState {
  const open = endsOf(runs, nowMs, costOf);
  const last = runs.at(-1);
  const loaded = last?.is_loaded === true ? last.template : null;
  const loadedFrom = runs.findLastIndex((run) => run.is_load);
  const stayed = runs.slice(loadedFrom + 1);
  return {
    id,
    loaded,
    freeAtMs: open.at(-1)?.endsAtMs ?? nowMs,
    openTasks: open.length,
    places: Math.max(0, places),
    stayedMs: loaded === null ? 0 : stayed.reduce((sum, run) => sum + (run.gpu_ms ?? 0), 0),
  };
}

export interface OpenRun extends Pick<InstanceRun, 'job_id' | 'provider'> {
  runMs: number;
  endsAtMs: number;
}

/** When the open tasks of the instances end, in their order at each instance. */
export function endsOfOpenRuns({
  runs,
  costs,
  models,
  nowMs,
}: Omit<SchedulingRows, 'bounds' | 'places' | 'waiting'>): OpenRun[] {
  const costOf = toCosts(costs, models);
  const instances = [...new Set(runs.map(({ provider }) => provider))];
  return instances.flatMap((id) => {
    const ofInstance = runs.filter(({ provider }) => provider === id);
    return endsOf(ofInstance, nowMs, ({ template }) => costOf(id, template));
  });
}

/** A task begins when the one before it has ended. One that takes longer than expected is expected to end now. */
function endsOf(runs: InstanceRun[], nowMs: number, costOf: (run: InstanceRun) => ReturnType<CostOf>): OpenRun[] {
  let atMs = runs.reduce((latestMs, { ended_at_ms }) => Math.max(latestMs, ended_at_ms ?? 0), 0);
  return runs
    .filter((run) => run.is_open)
    .map((run) => {
      const { runMs, loadMs } = costOf(run);
      atMs = Math.max(Math.max(atMs, run.started_at_ms) + runMs + (run.is_load ? loadMs : 0), nowMs);
      return { job_id: run.job_id, provider: run.provider, runMs, endsAtMs: atMs };
    });
}

/** The runs since the last job that did not wait, without those that their instance has lost. */
function busyPeriod(runs: InstanceRun[]): PastRun[] {
  const known = runs.filter((run) => run.is_open || run.gpu_ms !== null);
  const begin = known.findLastIndex((run) => run.started_at_ms - run.arrived_at_ms < AT_ONCE_MS);
  return known.slice(Math.max(begin, 0)).map((run) => ({
    account: run.account_id,
    arrivedAtMs: run.arrived_at_ms,
    model: run.model,
    instance: run.provider,
    template: run.template,
    startedAtMs: run.started_at_ms,
  }));
}
