import type {
  Grant,
  ModelRoute,
  PastRun,
  SchedulingState,
  StayBounds,
} from '../../../apps/jobs/src/scheduling/scheduling-state';
import type { Trace, TraceJob } from './traces';

/** Decides which waiting jobs go where. */
export type Policy = (state: SchedulingState) => Grant[];

/** What an instance did, from one time to another. */
export interface Work {
  instance: number;
  model: string;
  kind: 'load' | 'run';
  fromMs: number;
  untilMs: number;
}

export interface Result {
  /** By job: how much later it ended than at once on an idle instance that had its model. */
  waitsMs: number[];
  /** By job: when it was given to an instance, at last if an outage has interrupted it. */
  givenAtMs: number[];
  endedAtMs: number;
  loads: number;
  work: Work[];
}

const BOUNDS: StayBounds = { loads: 20, ms: 600_000 };
/** As many as jobs reads (instance-run.repository.ts). */
const NEXT_JOBS = 32;
const PAST_RUNS = 256;

interface QueuedJob {
  job: TraceJob;
  index: number;
  turn: number;
}

/** The fair queue of a model: accounts take turns. */
class FairQueue {
  private readonly lastTurns = new Map<string, number>();
  readonly jobs: QueuedJob[] = [];

  add(job: TraceJob, index: number): void {
    const head = this.jobs[0]?.turn ?? 0;
    const own = this.jobs.some((other) => other.job.account === job.account)
      ? this.lastTurns.get(job.account)
      : undefined;
    const turn = Math.max(head, own === undefined ? head : own + 1);
    this.lastTurns.set(job.account, turn);
    this.insert({ job, index, turn });
  }

  insert(queued: QueuedJob): void {
    let [low, high] = [0, this.jobs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.jobs[middle] as QueuedJob).turn <= queued.turn) low = middle + 1;
      else high = middle;
    }
    this.jobs.splice(low, 0, queued);
  }
}

interface SimulatedInstance {
  id: string;
  loaded: string | null;
  running: { queued: QueuedJob; endsAtMs: number; startedAtMs: number; loadedAtMs: number } | null;
  stayedMs: number;
  isDown: boolean;
}

/** Runs a trace in virtual time: each instance runs one job at a time, and loads its model first if it has another one. */
export function simulate(trace: Trace, policy: Policy): Result {
  return new Simulation(trace, policy).run();
}

class Simulation {
  /** Before the first event, which may be at 0. */
  private nowMs = -1;
  private arrived = 0;
  private finished = 0;
  private readonly instances: SimulatedInstance[];
  private readonly queues: Map<string, FairQueue>;
  private readonly routes: Map<string, ModelRoute[]>;
  private readonly runMs: Map<string, number>;
  private past: PastRun[] = [];
  private readonly waitsMs: number[] = [];
  private readonly givenAtMs: number[] = [];
  private readonly work: Work[] = [];
  private loads = 0;

  constructor(
    private readonly trace: Trace,
    private readonly policy: Policy,
  ) {
    this.instances = Array.from({ length: trace.instances }, (_, index) => ({
      id: `gpu-${index}`,
      loaded: null,
      running: null,
      stayedMs: 0,
      isDown: false,
    }));
    this.queues = new Map(trace.models.map(({ name }) => [name, new FairQueue()]));
    this.runMs = new Map(trace.models.map(({ name, runMs }) => [name, runMs]));
    this.routes = new Map(
      trace.models.map(({ name, runMs, loadMs }) => [
        name,
        this.instances.map(({ id }) => ({ instance: id, template: name, order: 0, weight: 1, runMs, loadMs })),
      ]),
    );
  }

  run(): Result {
    while (this.finished < this.trace.jobs.length) {
      const nextMs = this.nextMs();
      if (!Number.isFinite(nextMs)) break;
      this.nowMs = nextMs;
      this.advance();
      this.dispatch();
    }
    if (this.finished < this.trace.jobs.length) throw new Error(`The policy left jobs of ${this.trace.name} waiting.`);
    const endedAtMs = Math.max(...this.work.map(({ untilMs }) => untilMs));
    return { waitsMs: this.waitsMs, givenAtMs: this.givenAtMs, endedAtMs, loads: this.loads, work: this.work };
  }

  private nextMs(): number {
    const ends = this.instances.flatMap(({ running }) => (running ? [running.endsAtMs] : []));
    const outages = this.trace.outages.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]);
    return Math.min(
      this.trace.jobs[this.arrived]?.arrivedAtMs ?? Infinity,
      ...ends,
      ...outages.filter((atMs) => atMs > this.nowMs),
    );
  }

  private advance(): void {
    for (const [index, instance] of this.instances.entries()) {
      const { running } = instance;
      if (!running || running.endsAtMs > this.nowMs) continue;
      const { job, index: place } = running.queued;
      this.waitsMs[place] = this.nowMs - job.arrivedAtMs - (this.runMs.get(job.model) ?? 0);
      this.note(index, job.model, running, running.endsAtMs);
      instance.running = null;
      this.finished += 1;
    }
    for (const { instance, fromMs, untilMs } of this.trace.outages) {
      if (fromMs === this.nowMs) this.kill(instance);
      if (untilMs === this.nowMs) (this.instances[instance] as SimulatedInstance).isDown = false;
    }
    for (
      let job = this.trace.jobs[this.arrived];
      job && job.arrivedAtMs <= this.nowMs;
      job = this.trace.jobs[this.arrived]
    )
      this.queues.get(job.model)?.add(job, this.arrived++);
  }

  /** A job that an outage interrupts is the next of its model. */
  private kill(index: number): void {
    const instance = this.instances[index] as SimulatedInstance;
    if (instance.running) {
      const { queued } = instance.running;
      const queue = this.queues.get(queued.job.model) as FairQueue;
      queue.jobs.unshift({ ...queued, turn: (queue.jobs[0]?.turn ?? 0) - 1 });
      this.note(index, queued.job.model, instance.running, this.nowMs);
      this.past = this.past.filter(
        (run) => run.instance !== instance.id || run.startedAtMs !== instance.running?.startedAtMs,
      );
    }
    Object.assign(instance, { running: null, loaded: null, isDown: true, stayedMs: 0 });
  }

  private note(
    instance: number,
    model: string,
    { startedAtMs, loadedAtMs }: { startedAtMs: number; loadedAtMs: number },
    untilMs: number,
  ): void {
    if (loadedAtMs > startedAtMs)
      this.work.push({ instance, model, kind: 'load', fromMs: startedAtMs, untilMs: Math.min(loadedAtMs, untilMs) });
    if (untilMs > loadedAtMs) this.work.push({ instance, model, kind: 'run', fromMs: loadedAtMs, untilMs });
  }

  private dispatch(): void {
    const isWaiting = [...this.queues.values()].some(({ jobs }) => jobs.length > 0);
    if (!isWaiting) {
      this.past = this.past.filter(({ instance, startedAtMs }) =>
        this.instances.some(({ id, running }) => id === instance && running?.startedAtMs === startedAtMs),
      );
      return;
    }
    if (!this.instances.some(({ running, isDown }) => !running && !isDown)) return;
    for (const grant of this.policy(this.state())) this.begin(grant);
  }

  private begin({ model, instance: id }: Grant): void {
    const instance = this.instances.find((one) => one.id === id);
    const queued = this.queues.get(model)?.jobs.shift();
    const { runMs = 0, loadMs = 0 } = this.routes.get(model)?.[0] ?? {};
    if (!instance || !queued || instance.running || instance.isDown)
      throw new Error(`${id} has no place for ${model}.`);
    this.givenAtMs[queued.index] = this.nowMs;
    const isLoad = instance.loaded !== model;
    if (isLoad) this.loads += 1;
    const loadedAtMs = this.nowMs + (isLoad ? loadMs : 0);
    instance.running = { queued, startedAtMs: this.nowMs, loadedAtMs, endsAtMs: loadedAtMs + runMs };
    instance.stayedMs = (isLoad ? 0 : instance.stayedMs) + runMs;
    instance.loaded = model;
    const { account, arrivedAtMs } = queued.job;
    this.past.push({ account, arrivedAtMs, model, instance: id, template: model, startedAtMs: this.nowMs });
    if (this.past.length > PAST_RUNS) this.past.shift();
  }

  private state(): SchedulingState {
    return {
      nowMs: this.nowMs,
      bounds: BOUNDS,
      past: this.past,
      instances: this.instances
        .filter(({ isDown }) => !isDown)
        .map(({ id, loaded, running, stayedMs }) => ({
          id,
          loaded,
          stayedMs,
          freeAtMs: running?.endsAtMs ?? this.nowMs,
          openTasks: running ? 1 : 0,
          places: running ? 0 : 1,
        })),
      queues: this.trace.models.map(({ name }) => {
        const jobs = this.queues.get(name)?.jobs ?? [];
        return {
          model: name,
          routes: this.routes.get(name) ?? [],
          waiting: jobs.length,
          next: jobs.slice(0, NEXT_JOBS).map(({ job: { account, arrivedAtMs } }) => ({ account, arrivedAtMs })),
        };
      }),
    };
  }
}
