import { setImmediate } from 'node:timers/promises';
import { planInstances } from './plan-instances';
import type { InstanceState, PastRun, SchedulingState, Token, WaitingModel } from './scheduling-state';
import type { OpenRun } from './to-scheduling-state';

/** How many runs are planned in advance. Behind them, the queues are taken to be served evenly. */
const PLANNED_RUNS = 48;
/** Fewer of a model's next jobs than a plan compares, since each of those plans costs as much as one. */
const COMPARED_JOBS = 12;

/** When the next jobs of each model start to run, its load behind them, if nothing else arrives; in the order of their queue. */
export type Forecast = ReadonlyMap<string, readonly number[]>;

/** Runs the plan of the instances in advance, with other work between its steps. Each instance gets its next task when it is free. */
export async function forecastStarts(state: SchedulingState): Promise<Forecast> {
  const advance = new AdvanceRun(state);
  while (advance.step()) await setImmediate();
  return advance.finish();
}

class AdvanceRun {
  private readonly instances: InstanceState[];
  private readonly left: Map<string, Token[]>;
  private readonly starts: Map<string, number[]>;
  private readonly past: PastRun[];
  private nowMs: number;
  private planned = 0;

  constructor(private readonly state: SchedulingState) {
    this.nowMs = state.nowMs;
    this.past = [...state.past];
    this.instances = state.instances.map((instance) => ({ ...instance }));
    this.left = new Map(state.queues.map(({ model, next }) => [model, [...next]]));
    this.starts = new Map(state.queues.map(({ model }) => [model, []]));
  }

  /** False if nothing more is to be planned. */
  step(): boolean {
    if (this.planned >= PLANNED_RUNS || this.countLeft() === 0) return false;
    const queues = this.state.queues.map((queue) => this.toQueue(queue));
    const grants = planInstances({
      ...this.state,
      nowMs: this.nowMs,
      instances: this.atNow(),
      queues,
      past: this.past,
    });
    for (const { model, instance } of grants) this.begin(model, instance);
    const nextMs = Math.min(...this.instances.map(({ freeAtMs }) => freeAtMs).filter((atMs) => atMs > this.nowMs));
    if (!Number.isFinite(nextMs)) return grants.length > 0;
    this.nowMs = nextMs;
    return true;
  }

  finish(): Forecast {
    this.drainRest();
    return this.starts;
  }

  private countLeft(): number {
    return [...this.left.values()].reduce((sum, { length }) => sum + length, 0);
  }

  private toQueue(queue: WaitingModel): WaitingModel {
    const left = this.left.get(queue.model) ?? [];
    return { ...queue, next: left.slice(0, COMPARED_JOBS), waiting: left.length };
  }

  private atNow(): InstanceState[] {
    return this.instances.map((instance) => {
      const isFree = instance.freeAtMs <= this.nowMs;
      return { ...instance, openTasks: isFree ? 0 : 1, places: isFree ? 1 : 0 };
    });
  }

  private begin(model: string, id: string): void {
    const token = this.left.get(model)?.shift();
    const instance = this.instances.find((one) => one.id === id);
    const route = this.routeOf(model, id);
    if (!token || !instance || !route) return;
    const isLoaded = instance.loaded === route.template;
    const startMs = Math.max(instance.freeAtMs, this.nowMs) + (isLoaded ? 0 : route.loadMs);
    this.starts.get(model)?.push(startMs);
    this.past.push({ ...token, model, instance: id, template: route.template, startedAtMs: this.nowMs });
    instance.stayedMs = (isLoaded ? instance.stayedMs : 0) + route.runMs;
    instance.loaded = route.template;
    instance.freeAtMs = startMs + route.runMs;
    this.planned += 1;
  }

  private routeOf(model: string, id: string): WaitingModel['routes'][number] | undefined {
    return this.state.queues.find((queue) => queue.model === model)?.routes.find(({ instance }) => instance === id);
  }

  /** All queues end together, when their work is done. */
  private drainRest(): void {
    const workMs = [...this.left].reduce((sum, [model, { length }]) => sum + length * this.runMsOf(model), 0);
    const fromMs = Math.max(this.nowMs, ...this.instances.map(({ freeAtMs }) => freeAtMs));
    const durationMs = workMs / Math.max(this.instances.length, 1);
    for (const [model, { length }] of this.left)
      for (let place = 0; place < length; place += 1)
        this.starts.get(model)?.push(fromMs + (durationMs * place) / length);
  }

  private runMsOf(model: string): number {
    return this.state.queues.find((queue) => queue.model === model)?.routes[0]?.runMs ?? 0;
  }
}

/** What is known of the next jobs, at a moment of the database's clock. */
export interface Foreseen {
  nowMs: number;
  starts: Forecast;
  /** The instances of each model with waiting jobs. */
  instances: ReadonlyMap<string, readonly string[]>;
  open: OpenRun[];
}

interface ForeseenStart {
  atMs: number;
  /** How many jobs of all models that share an instance are served before it. */
  before: number;
}

/** When the job at this place of its model starts. Null for a model without waiting jobs. */
export function foreseenStart(foreseen: Foreseen, model: string, place: number): ForeseenStart | null {
  const found = startAt(foreseen, model, place);
  return found && { ...found, before: found.before + countQueuedTasks(foreseen, model) };
}

/**
 * How many of the waiting jobs are served before a new one behind the last of its model, and when fewer than the limit are. Null
 * for a model without waiting jobs.
 */
export function foreseenBacklog(
  foreseen: Foreseen,
  model: string,
  { waiting, limit }: { waiting: number; limit: number },
): { before: number; roomAtMs: number } | null {
  const end = startAt(foreseen, model, waiting);
  if (!end) return null;
  const times = sharingStarts(foreseen, model)
    .flat()
    .sort((one, other) => one - other);
  const roomAtMs = end.before < limit ? foreseen.nowMs : timeAt(times, end.before - limit, foreseen.nowMs);
  return { before: end.before, roomAtMs };
}

function startAt(foreseen: Foreseen, model: string, place: number): ForeseenStart | null {
  const times = foreseen.starts.get(model) ?? [];
  if (place < 0 || times.length === 0 || !foreseen.instances.has(model)) return null;
  const atMs = timeAt(times, place, foreseen.nowMs);
  const sharing = sharingStarts(foreseen, model);
  const earlier = sharing.flat().filter((time) => time < atMs).length;
  // Behind the jobs that are read, the models with as many jobs are taken to go on evenly.
  const inTurn = sharing.filter(({ length }) => length >= times.length).length;
  return { atMs, before: earlier + Math.max(0, place - times.length) * inTurn };
}

/** Behind the jobs that are read, the queue is taken to go on at the pace of those. */
function timeAt(times: readonly number[], place: number, nowMs: number): number {
  const lastMs = times.at(-1) ?? nowMs;
  return times[place] ?? lastMs + ((place - times.length + 1) * (lastMs - nowMs)) / times.length;
}

/** Of the models that share an instance with this one, itself among them. */
function sharingStarts({ starts, instances }: Foreseen, model: string): (readonly number[])[] {
  const own = instances.get(model) ?? [];
  return [...starts].flatMap(([other, times]) => (instances.get(other)?.some((id) => own.includes(id)) ? [times] : []));
}

/** Each instance runs the first of its tasks; the others are still to be served. */
function countQueuedTasks({ instances, open }: Foreseen, model: string): number {
  const tasks = open.filter(({ provider }) => instances.get(model)?.includes(provider));
  return tasks.length - new Set(tasks.map(({ provider }) => provider)).size;
}
