import type { Grant, SchedulingState, WaitingModel } from '../../../apps/jobs/src/scheduling/scheduling-state';
import type { Trace, TraceJob, TraceModel } from './traces';
import type { Policy } from './simulate';

/** How many moments the lower bound looks at. */
const MOMENTS = 100;

/** The job that has waited longest, whatever is loaded; accounts take turns. */
export const firstCome: Policy = (state) => {
  const begun = new Map(state.past.map(({ model, account, startedAtMs }) => [`${model} ${account}`, startedAtMs]));
  const readyAtMs = ({ model, next }: WaitingModel): number =>
    Math.min(...next.map(({ account, arrivedAtMs }) => Math.max(arrivedAtMs, begun.get(`${model} ${account}`) ?? 0)));
  return fill(state, (queues) => queues.sort((one, other) => readyAtMs(one) - readyAtMs(other))[0]);
};

/** One model after another, as jobs did it before. */
export function roundRobin(): Policy {
  let rounds = 0;
  return (state) => fill(state, (queues) => queues[rounds++ % queues.length]);
}

/** An instance that has the model is preferred. */
function fill(state: SchedulingState, choose: (queues: WaitingModel[]) => WaitingModel | undefined): Grant[] {
  const queues = state.queues.map((queue) => ({ ...queue, next: [...queue.next] }));
  const free = state.instances.filter(({ places }) => places > 0);
  const grants: Grant[] = [];
  while (free.length > 0) {
    const queue = choose(queues.filter(({ next }) => next.length > 0));
    if (!queue) break;
    const warm = free.findIndex(({ loaded }) => loaded === queue.model);
    const [instance] = free.splice(Math.max(warm, 0), 1);
    queue.next.shift();
    if (instance) grants.push({ model: queue.model, instance: instance.id });
  }
  return grants;
}

/** No schedule can end a trace earlier. */
export function lowerBoundMs(trace: Trace): number {
  const lastMs = trace.jobs.at(-1)?.arrivedAtMs ?? 0;
  const moments = Array.from({ length: MOMENTS }, (_, index) => (lastMs * (index + 1)) / MOMENTS);
  return Math.max(boundByWorkMs(trace), ...moments.map((atMs) => boundByArrivalsMs(trace, atMs)));
}

/**
 * Each model is loaded at least once, the work that arrives from any moment on has to be done after it, and the instances work all
 * the time that they are there.
 */
function boundByWorkMs({ instances, models, jobs, outages }: Trace): number {
  const runs = new Map(models.map(({ name, runMs }) => [name, runMs]));
  const used = models.filter(({ name }) => jobs.some(({ model }) => model === name));
  const loadMs = used.reduce((sum, model) => sum + model.loadMs, 0);
  const endAfter = (fromMs: number, workMs: number): number => {
    let [atMs, leftMs] = [fromMs, workMs];
    for (;;) {
      const nextMs = Math.min(...outages.flatMap((one) => [one.fromMs, one.untilMs]).filter((time) => time > atMs));
      const there = instances - outages.filter((one) => one.fromMs <= atMs && atMs < one.untilMs).length;
      if (there > 0 && atMs + leftMs / there <= nextMs) return atMs + leftMs / there;
      leftMs -= there * (nextMs - atMs);
      atMs = nextMs;
    }
  };
  let [boundMs, workMs] = [0, 0];
  for (const { arrivedAtMs, model } of jobs.toReversed()) {
    workMs += runs.get(model) ?? 0;
    boundMs = Math.max(boundMs, endAfter(arrivedAtMs, workMs), arrivedAtMs + (runs.get(model) ?? 0));
  }
  return Math.max(boundMs, endAfter(jobs[0]?.arrivedAtMs ?? 0, workMs + loadMs));
}

/**
 * A load serves only jobs that have arrived: the more of them there were before a moment, the less time they leave, and the fewer,
 * the less work there was for their models. After it, the models of later jobs are loaded, except for one on each instance.
 */
function boundByArrivalsMs({ instances, models, jobs }: Trace, atMs: number): number {
  const workOf = ({ name, runMs }: TraceModel, of: TraceJob[]): number =>
    runMs * of.filter(({ model }) => model === name).length;
  const [before, after] = [jobs.filter((job) => job.arrivedAtMs < atMs), jobs.filter((job) => job.arrivedAtMs >= atMs)];
  const mostWork = models.map((model) => workOf(model, before)).sort((one, other) => other - one);
  const shortLoads = models.map(({ loadMs }) => loadMs).sort((one, other) => one - other);
  const doneMs = mostWork.map((_, index) =>
    Math.min(instances * atMs - sum(shortLoads.slice(0, index + 1)), sum(mostWork.slice(0, index + 1))),
  );
  const laterLoads = models.flatMap((model) => (workOf(model, after) > 0 ? [model.loadMs] : []));
  const longLoads = laterLoads.sort((one, other) => other - one).slice(instances);
  const leftMs = sum(models.map((model) => workOf(model, jobs))) - Math.max(0, ...doneMs) + sum(longLoads);
  return atMs + leftMs / instances;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
