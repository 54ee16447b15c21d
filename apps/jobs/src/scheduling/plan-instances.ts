import { firstComeStarts, type ReferenceInstance, type ReferenceJob } from './first-come';
import type { Grant, InstanceState, ModelRoute, SchedulingState, WaitingModel } from './scheduling-state';

/** How much longer than first come, first served a job may wait, in times of a load. */
const LATE_BY_LOADS = 2;
/** How many loads a backlog has to be worth before one more instance loads its model, where others wait for that instance too. */
const CONTESTED_LOADS = 4;
/** A shorter load is not worth a place that stays empty. */
const NO_LOAD_MS = 200;

/**
 * Which waiting jobs go where now. An instance stays with the model that it has loaded as long as that makes no other job more
 * than two loads later than it would be first come, first served, and within the bounds of the operator. Otherwise it changes to
 * the model of the job that has waited longest, unless an instance that has that model will run the job sooner.
 */
export function planInstances(state: SchedulingState): Grant[] {
  const round = new Round(state);
  const grants: Grant[] = [];
  for (let grant = round.next(); grant; grant = round.next()) grants.push(grant);
  return grants;
}

/** A waiting model and its route to the instance that is being decided. */
interface Candidate {
  queue: WaitingModel;
  route: ModelRoute;
}

class Round {
  private readonly instances: Map<string, InstanceState>;
  private readonly queues: WaitingModel[];
  private readonly open: Set<string>;
  private readonly granted: ReferenceJob[] = [];
  private readonly turns: AccountTurns;

  constructor(private readonly state: SchedulingState) {
    this.instances = new Map(state.instances.map((instance) => [instance.id, { ...instance }]));
    this.queues = state.queues.map((queue) => ({ ...queue, next: [...queue.next] }));
    this.open = new Set(state.instances.filter(({ places }) => places > 0).map(({ id }) => id));
    this.turns = new AccountTurns(state);
  }

  next(): Grant | null {
    for (const instance of this.inOrder()) {
      const chosen = this.decide(instance);
      if (chosen) return this.grant(instance, chosen);
      this.open.delete(instance.id);
    }
    return null;
  }

  /** Those that can continue first, then those that lose least. */
  private inOrder(): InstanceState[] {
    const open = [...this.open].map((id) => this.instances.get(id) as InstanceState);
    const rank = new Map(open.map((instance) => [instance.id, this.rankOf(instance)]));
    return open.sort((one, other) => {
      const [left, right] = [rank.get(one.id) as number[], rank.get(other.id) as number[]];
      const place = left.findIndex((value, index) => value !== right[index]);
      return place < 0 ? (one.id < other.id ? -1 : 1) : (left[place] as number) - (right[place] as number);
    });
  }

  private rankOf(instance: InstanceState): number[] {
    return [
      Math.max(instance.freeAtMs, this.state.nowMs),
      this.warm(instance) ? 0 : 1,
      this.usesOf(instance),
      this.state.past.filter((run) => run.instance === instance.id).length,
    ];
  }

  /** How often what it has loaded was used lately, by all instances. */
  private usesOf({ loaded }: InstanceState): number {
    return this.state.past.filter(({ template }) => template === loaded).length;
  }

  private decide(instance: InstanceState): Candidate | null {
    const warm = this.warm(instance);
    const oldest = this.oldest(instance);
    if (!oldest) return warm;
    if (warm && this.mayStay(instance, warm, oldest)) return warm;
    const next = this.change(instance, oldest);
    // The decision to change is made when the instance is free: until then, what it has loaded may be asked for again.
    const isWorthWaiting = instance.openTasks > 0 && next.route.loadMs > NO_LOAD_MS;
    return isWorthWaiting && next.route.template !== instance.loaded ? null : next;
  }

  /** The model with the most waiting work for a load, unless the oldest job has waited for its share, or would become too late. */
  private change(instance: InstanceState, oldest: Candidate): Candidate {
    const waitedMs = this.state.nowMs - this.turns.readyAtMs(oldest.queue);
    if (waitedMs >= this.stayBoundMs(oldest)) return oldest;
    const best = this.needed(instance).reduce(
      (found, one) => (this.gain(one) > this.gain(found) ? one : found),
      oldest,
    );
    return best.route.loadMs > 0 && this.isSafe(instance, best) ? best : oldest;
  }

  /** The waiting work for each instance that would have the model, against the load. */
  private gain({ queue, route }: Candidate): number {
    const others = queue.routes.filter(({ instance, template }) => this.instances.get(instance)?.loaded === template);
    return (queue.waiting * route.runMs) / (others.length + 1) / Math.max(route.loadMs, 1);
  }

  private stayBoundMs({ route }: Candidate): number {
    const { loads, ms } = this.state.bounds;
    return Math.min(loads * route.loadMs, ms);
  }

  /** The oldest waiting job for what it has loaded. */
  private warm(instance: InstanceState): Candidate | null {
    return this.oldestOf(this.candidates(instance).filter(({ route }) => route.template === instance.loaded));
  }

  /** The oldest waiting job that would not be run sooner elsewhere. */
  private oldest(instance: InstanceState): Candidate | null {
    return this.oldestOf(this.needed(instance));
  }

  private needed(instance: InstanceState): Candidate[] {
    return this.candidates(instance).filter((candidate) => !this.isBetterElsewhere(instance, candidate));
  }

  private candidates({ id }: InstanceState): Candidate[] {
    return this.queues.flatMap((queue) => {
      const route = queue.next.length > 0 ? queue.routes.find(({ instance }) => instance === id) : undefined;
      return route && !this.isRoutedBefore(queue, route) ? [{ queue, route }] : [];
    });
  }

  private oldestOf(candidates: Candidate[]): Candidate | null {
    let found: { candidate: Candidate; readyAtMs: number } | null = null;
    for (const candidate of candidates) {
      const readyAtMs = this.turns.readyAtMs(candidate.queue);
      if (!found || readyAtMs < found.readyAtMs) found = { candidate, readyAtMs };
    }
    return found?.candidate ?? null;
  }

  private isBetterElsewhere(instance: InstanceState, { queue, route }: Candidate): boolean {
    const others = queue.routes.filter((other) => other.instance !== instance.id && other.order <= route.order);
    if (route.template === instance.loaded) return false;
    const warm = others.filter(({ instance: id, template }) => this.instances.get(id)?.loaded === template);
    if (warm.length === 0) return false;
    // All waiting jobs of the model at the instances that have it, against a load here.
    const busyMs = warm.reduce((sum, other) => sum + this.busyMs(other.instance), 0);
    const lastStartsInMs = (busyMs + (queue.waiting - 1) * route.runMs) / warm.length;
    const isContested = this.candidates(instance).some((other) => other.route.template !== route.template);
    return lastStartsInMs <= this.busyMs(instance.id) + route.loadMs * (isContested ? CONTESTED_LOADS : 1);
  }

  /** Whether an instance of a lower order is idle. */
  private isRoutedBefore({ routes }: WaitingModel, { order }: ModelRoute): boolean {
    return routes.some((other) => {
      const instance = this.instances.get(other.instance);
      return other.order < order && instance !== undefined && instance.places > 0 && instance.openTasks === 0;
    });
  }

  private busyMs(id: string): number {
    return Math.max(0, (this.instances.get(id)?.freeAtMs ?? 0) - this.state.nowMs);
  }

  private mayStay(instance: InstanceState, warm: Candidate, oldest: Candidate): boolean {
    const isAlone = !this.candidates(instance).some(({ route }) => route.template !== instance.loaded);
    if (isAlone) return true;
    if (oldest.route.loadMs === 0) return oldest.route.template === instance.loaded;
    if (instance.stayedMs >= this.stayBoundMs(oldest)) return oldest.route.template === instance.loaded;
    return oldest.queue === warm.queue || this.isSafe(instance, warm);
  }

  /** Whether no waiting job becomes too late if the instance stays, and then all others are served first come, first served. */
  private isSafe(instance: InstanceState, { queue, route }: Candidate): boolean {
    const waiting = this.waiting();
    const latest = this.latestStarts(waiting);
    const first = waiting.findIndex(({ model }) => model === queue.model);
    const after = [...this.instances.values()].map((one) =>
      one === instance ? this.afterRun(one, route) : this.idle(one),
    );
    const rest = waiting.filter((_, index) => index !== first);
    const starts = firstComeStarts(rest, after, (model) => this.routesOf(model));
    return rest.every((_, index) => (starts[index] ?? 0) <= (latest[index < first ? index : index + 1] ?? Infinity));
  }

  private idle({ id, loaded, freeAtMs }: InstanceState): ReferenceInstance {
    return { id, loaded, freeAtMs: Math.max(freeAtMs, this.state.nowMs) };
  }

  private afterRun(instance: InstanceState, { template, runMs, loadMs }: ModelRoute): ReferenceInstance {
    const { id, loaded, freeAtMs } = this.idle(instance);
    return { id, loaded: template, freeAtMs: freeAtMs + (loaded === template ? 0 : loadMs) + runMs };
  }

  /**
   * For each waiting job: two loads after the longest wait if all jobs had been served first come, first served. If not even that
   * order can keep to it from now on, for example after an outage, the longest wait from now on counts: otherwise the instances
   * would load for every job.
   */
  private latestStarts(waiting: ReferenceJob[]): number[] {
    const [begin] = this.state.past;
    const before = this.state.instances.map(({ id, loaded }) => ({
      id,
      freeAtMs: begin?.startedAtMs ?? this.state.nowMs,
      loaded: this.state.past.find((run) => run.instance === id)?.template ?? loaded,
    }));
    const now = [...this.instances.values()].map((one) => this.idle(one));
    const longestMs = Math.max(0, ...this.waitsMs([...this.state.past, ...this.granted, ...waiting], before));
    const fromNowMs = this.waitsMs(waiting, now);
    const lateMs = waiting.map(({ model }) => longestMs + LATE_BY_LOADS * this.longestLoadMs(model));
    const isLate = fromNowMs.some((waitMs, index) => waitMs > (lateMs[index] ?? Infinity));
    const excessMs = isLate ? Math.max(0, Math.max(...fromNowMs) - longestMs) : 0;
    return waiting.map(({ arrivedAtMs }, index) => arrivedAtMs + (lateMs[index] ?? 0) + excessMs);
  }

  private waitsMs(jobs: ReferenceJob[], instances: ReferenceInstance[]): number[] {
    const starts = firstComeStarts(jobs, instances, (model) => this.routesOf(model));
    return jobs.map(({ arrivedAtMs }, index) => (starts[index] ?? 0) - arrivedAtMs);
  }

  private longestLoadMs(model: string): number {
    return Math.max(0, ...this.routesOf(model).map(({ loadMs }) => loadMs));
  }

  private waiting(): ReferenceJob[] {
    return this.queues
      .flatMap(({ model, next }) => next.map((token) => ({ model, ...token })))
      .sort((one, other) => one.arrivedAtMs - other.arrivedAtMs);
  }

  private routesOf(model: string): ModelRoute[] {
    return this.queues.find((queue) => queue.model === model)?.routes ?? [];
  }

  private grant(instance: InstanceState, { queue, route }: Candidate): Grant {
    const token = queue.next.shift();
    queue.waiting -= 1;
    if (token) {
      this.granted.push({ model: queue.model, ...token });
      this.turns.begin(queue.model, token.account);
    }
    const isLoaded = instance.loaded === route.template;
    const loadMs = isLoaded ? 0 : route.loadMs;
    instance.freeAtMs = Math.max(instance.freeAtMs, this.state.nowMs) + loadMs + route.runMs;
    instance.stayedMs = (isLoaded ? instance.stayedMs : 0) + route.runMs;
    instance.loaded = route.template;
    instance.openTasks += 1;
    instance.places -= 1;
    if (instance.places <= 0) this.open.delete(instance.id);
    return { model: queue.model, instance: instance.id };
  }
}

/** Since when the next job of a model waits: a job counts from the moment at which the account's previous one began. */
class AccountTurns {
  private readonly begunAtMs = new Map<string, number>();

  constructor(private readonly state: SchedulingState) {
    for (const { model, account, startedAtMs } of state.past) this.begunAtMs.set(`${model} ${account}`, startedAtMs);
  }

  begin(model: string, account: string): void {
    this.begunAtMs.set(`${model} ${account}`, this.state.nowMs);
  }

  readyAtMs({ model, next }: WaitingModel): number {
    const times = next.map(({ account, arrivedAtMs }) =>
      Math.max(arrivedAtMs, this.begunAtMs.get(`${model} ${account}`) ?? 0),
    );
    return Math.min(...times);
  }
}
