import type { ModelRoute, Token } from './scheduling-state';

/** A job in the order of first come, first served. */
export interface ReferenceJob extends Token {
  model: string;
}

export interface ReferenceInstance {
  id: string;
  freeAtMs: number;
  loaded: string | null;
}

/** The jobs of one account for one model: the next one comes when the one before it begins. */
interface Chain {
  routes: ModelRoute[];
  jobs: { job: ReferenceJob; index: number }[];
  place: number;
  readyAtMs: number;
}

/**
 * When each job would begin if all were served first come, first served, and accounts took turns: a job of an account counts
 * from the moment at which the account's previous job for the model began. Null for a job that no instance could run.
 */
export function firstComeStarts(
  jobs: ReferenceJob[],
  instances: readonly ReferenceInstance[],
  routesOf: (model: string) => ModelRoute[],
): (number | null)[] {
  const starts: (number | null)[] = jobs.map(() => null);
  const states = new Map(instances.map((instance) => [instance.id, { ...instance }]));
  const chains = toChains(jobs, (model) => routesOf(model).filter(({ instance }) => states.has(instance)));
  for (;;) {
    const chain = earliest(chains);
    const entry = chain?.jobs[chain.place];
    if (!chain || !entry) return starts;
    const route = soonest(chain, states);
    const state = states.get(route.instance) as ReferenceInstance;
    const begunAtMs = Math.max(state.freeAtMs, chain.readyAtMs);
    const startMs = begunAtMs + (state.loaded === route.template ? 0 : route.loadMs);
    starts[entry.index] = startMs;
    state.freeAtMs = startMs + route.runMs;
    state.loaded = route.template;
    chain.place += 1;
    chain.readyAtMs = Math.max(chain.jobs[chain.place]?.job.arrivedAtMs ?? 0, begunAtMs);
  }
}

function toChains(jobs: ReferenceJob[], routesOf: (model: string) => ModelRoute[]): Chain[] {
  const chains = new Map<string, Chain>();
  jobs.forEach((job, index) => {
    const name = `${job.model} ${job.account}`;
    const known = chains.get(name);
    const routes = known ? [] : routesOf(job.model);
    known?.jobs.push({ job, index });
    if (routes.length > 0) chains.set(name, { routes, jobs: [{ job, index }], place: 0, readyAtMs: job.arrivedAtMs });
  });
  return [...chains.values()];
}

function earliest(chains: Chain[]): Chain | null {
  let found: Chain | null = null;
  for (const chain of chains)
    if (chain.place < chain.jobs.length && (!found || chain.readyAtMs < found.readyAtMs)) found = chain;
  return found;
}

/** The instance that is free first; among those that are free when the job comes, one that has the model loaded. */
function soonest({ routes, readyAtMs }: Chain, states: Map<string, ReferenceInstance>): ModelRoute {
  const rankOf = ({ instance, template }: ModelRoute): [number, number] => {
    const state = states.get(instance) as ReferenceInstance;
    return [Math.max(state.freeAtMs, readyAtMs), state.loaded === template ? 0 : 1];
  };
  return routes.reduce((best, route) => {
    const [[bestMs, bestLoad], [ms, load]] = [rankOf(best), rankOf(route)];
    return ms < bestMs || (ms === bestMs && load < bestLoad) ? route : best;
  });
}
