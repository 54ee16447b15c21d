import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import type { InstanceRun, MeasuredCost, WaitingJobRow } from './instance-run.repository';
import type { InstanceState, ModelRoute, PastRun, SchedulingState, StayBounds, WaitingModel } from './scheduling-state';

/** Until a run is measured. */
const UNKNOWN_RUN_MS = 5_000;
/** Until a load is measured, where the catalog names none. */
const UNKNOWN_LOAD_MS = 10_000;
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
}

/** The name of what an instance loads for a model. */
export function templateOf(route: Route, model: string): string {
  return route.template ?? model;
}

/** What the plan of the instances depends on, from rows that all processes read alike. */
export function toSchedulingState({ bounds, models, places, runs, waiting, costs }: SchedulingRows): SchedulingState {
  const nowMs = waiting[0]?.now_ms ?? 0;
  const costOf = toCosts(costs);
  const queues = models.map(({ model, routes }): WaitingModel => {
    const own = waiting.filter((row) => row.model === model);
    return {
      model,
      routes: routes.map((route) => toModelRoute(route, templateOf(route, model), costOf)),
      next: own.slice(0, NEXT_JOBS).map(({ account, arrivedAtMs }) => ({ account, arrivedAtMs })),
      waiting: own.length,
    };
  });
  const known = new Set(models.map(({ model }) => model));
  const idle = runs.filter(({ model }) => !known.has(model)).map(({ model }) => model);
  for (const model of new Set(idle)) queues.push(toIdleQueue(model, runs, costOf));
  const instances = [...places].map(([id, free]) => {
    const ofInstance = runs.filter(({ provider }) => provider === id);
    return toInstance(id, free, ofInstance, nowMs, (run) => costOf(id, run.template));
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

type CostOf = (instance: string, template: string) => { runMs: number | undefined; loadMs: number | undefined };

/** The time after a change of model minus the usual time. */
function toCosts(costs: MeasuredCost[]): CostOf {
  const find = (instance: string, template: string, isLoad: boolean): number | undefined =>
    costs.find((cost) => cost.provider === instance && cost.template === template && cost.is_load === isLoad)?.ms;
  return (instance, template) => {
    const [runMs, firstMs] = [find(instance, template, false), find(instance, template, true)];
    if (firstMs === undefined || runMs === undefined) return { runMs: runMs ?? firstMs, loadMs: undefined };
    return { runMs, loadMs: Math.max(0, firstMs - runMs) };
  };
}

function toModelRoute(route: Route, template: string, costOf: CostOf): ModelRoute {
  const { provider: instance, order = 0, weight, load_ms: prior = UNKNOWN_LOAD_MS } = route;
  const { runMs = UNKNOWN_RUN_MS, loadMs = prior } = costOf(instance, template);
  return { instance, template, order, weight, runMs, loadMs };
}

function toInstance(
  id: string,
  places: number,
  runs: InstanceRun[],
  nowMs: number,
  costOf: (run: InstanceRun) => ReturnType<CostOf>,
): InstanceState {
  const durationOf = (run: InstanceRun): number => {
    const { runMs = UNKNOWN_RUN_MS, loadMs = UNKNOWN_LOAD_MS } = costOf(run);
    return run.gpu_ms ?? runMs + (run.is_load ? loadMs : 0);
  };
  const open = runs.filter((run) => run.is_open);
  const freeAtMs = open.reduce((atMs, run) => Math.max(atMs, run.started_at_ms) + durationOf(run), 0);
  const last = runs.at(-1);
  const loaded = last?.is_loaded === true ? last.template : null;
  const loadedFrom = runs.findLastIndex((run) => run.is_load);
  const stayed = runs.slice(loadedFrom + 1);
  return {
    id,
    loaded,
    freeAtMs: Math.max(freeAtMs, nowMs),
    openTasks: open.length,
    places: Math.max(0, places),
    stayedMs: loaded === null ? 0 : stayed.reduce((sum, run) => sum + (run.gpu_ms ?? 0), 0),
  };
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
