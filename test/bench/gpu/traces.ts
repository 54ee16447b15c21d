/** A job of a trace. Times are in milliseconds of virtual time. */
export interface TraceJob {
  arrivedAtMs: number;
  account: string;
  model: string;
}

export interface TraceModel {
  name: string;
  runMs: number;
  loadMs: number;
}

/** An instance is gone from one time to another, and has forgotten what it had loaded. */
export interface Outage {
  instance: number;
  fromMs: number;
  untilMs: number;
}

export interface Trace {
  name: string;
  instances: number;
  loadRuns: number;
  models: TraceModel[];
  jobs: TraceJob[];
  outages: Outage[];
}

const RUN_MS = 1_000;
/** Long enough that the loads of the beginning and the end do not decide. */
const JOBS = 4_000;

/** A generator of numbers in [0, 1) that repeats (mulberry32), so that every run measures the same traces. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Arrivals = 'burst' | 'bursts' | 'steady' | 'busy' | 'diurnal' | 'flood';

interface Shape {
  arrivals: Arrivals;
  instances: number;
  models: number;
  loadRuns: number;
  outages?: boolean;
}

/** Offered work as a part of what the instances could run without a load. */
const OFFERED: Record<Arrivals, number> = { burst: 0, bursts: 0.8, steady: 0.6, busy: 0.9, diurnal: 0.75, flood: 0.5 };

export function makeTrace(shape: Shape): Trace {
  const random = seeded(
    JSON.stringify(shape).length * 7_919 + shape.instances * 31 + shape.models * 17 + shape.loadRuns,
  );
  const models = Array.from({ length: shape.models }, (_, index) => ({
    name: `model-${index}`,
    runMs: RUN_MS * (shape.models === 1 ? 1 : 0.5 + random()),
    loadMs: RUN_MS * shape.loadRuns * (0.75 + random() / 2),
  }));
  const jobs = toJobs(shape, models, random).sort((one, other) => one.arrivedAtMs - other.arrivedAtMs);
  const lastMs = jobs.at(-1)?.arrivedAtMs ?? 0;
  const spanMs = Math.max(lastMs, (JOBS * RUN_MS) / shape.instances);
  const outages = shape.outages
    ? Array.from({ length: 4 }, (_, index) => {
        const fromMs = spanMs * (0.1 + index * 0.2);
        return { instance: index % shape.instances, fromMs, untilMs: fromMs + RUN_MS * 30 };
      })
    : [];
  const parts = [shape.arrivals, ...(shape.outages ? ['outages'] : [])];
  return { name: parts.join(', '), instances: shape.instances, loadRuns: shape.loadRuns, models, jobs, outages };
}

function toJobs({ arrivals, instances }: Shape, models: TraceModel[], random: () => number): TraceJob[] {
  const anyModel = (): string => models[Math.floor(random() ** 1.5 * models.length)]?.name ?? '';
  const anyAccount = (): string => `account-${Math.floor(random() * 8)}`;
  const rate = (OFFERED[arrivals] * instances) / RUN_MS;
  let nowMs = 0;
  const waitMs = (factor = 1): number => -Math.log(1 - random()) / (rate * factor);
  switch (arrivals) {
    case 'burst':
      return Array.from({ length: JOBS }, () => ({
        arrivedAtMs: random() * RUN_MS,
        account: anyAccount(),
        model: anyModel(),
      }));
    case 'bursts': {
      const size = 20;
      return Array.from({ length: JOBS / size }, () => {
        nowMs += waitMs() * size;
        const burst = { account: anyAccount(), model: anyModel() };
        return Array.from({ length: size }, (_, index) => ({ arrivedAtMs: nowMs + index, ...burst }));
      }).flat();
    }
    case 'diurnal':
      return Array.from({ length: JOBS }, () => {
        nowMs += waitMs(1 + 0.9 * Math.sin((nowMs / RUN_MS / JOBS) * instances * 4 * Math.PI));
        return { arrivedAtMs: nowMs, account: anyAccount(), model: anyModel() };
      });
    case 'flood': {
      const [first] = models;
      const flood = Array.from({ length: 10_000 }, (_, index) => ({
        arrivedAtMs: index / 100,
        account: 'account-of-ten-thousand',
        model: first?.name ?? '',
      }));
      const singles = Array.from({ length: 500 }, (_, index) => {
        nowMs += waitMs(0.1);
        return { arrivedAtMs: nowMs, account: `account-of-one-${index}`, model: anyModel() };
      });
      return [...flood, ...singles];
    }
    case 'steady':
    case 'busy':
      return Array.from({ length: JOBS }, () => {
        nowMs += waitMs();
        return { arrivedAtMs: nowMs, account: anyAccount(), model: anyModel() };
      });
  }
}

export function allTraces(): Trace[] {
  const traces: Trace[] = [];
  for (const arrivals of ['burst', 'bursts', 'steady', 'busy', 'diurnal'] as const)
    for (const [instances, models] of [
      [1, 1],
      [1, 2],
      [1, 3],
      [1, 12],
      [2, 3],
      [4, 6],
      [8, 12],
    ] as const)
      for (const loadRuns of [0, 1, 5, 20]) traces.push(makeTrace({ arrivals, instances, models, loadRuns }));
  for (const [instances, models] of [
    [1, 3],
    [2, 3],
    [4, 6],
  ] as const)
    for (const loadRuns of [1, 5, 20]) {
      traces.push(makeTrace({ arrivals: 'busy', instances, models, loadRuns, outages: true }));
      traces.push(makeTrace({ arrivals: 'burst', instances, models, loadRuns, outages: true }));
    }
  for (const [instances, models] of [
    [1, 2],
    [2, 3],
  ] as const)
    for (const loadRuns of [1, 5, 20]) traces.push(makeTrace({ arrivals: 'flood', instances, models, loadRuns }));
  return traces;
}
