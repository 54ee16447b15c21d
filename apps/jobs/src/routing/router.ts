import { Injectable } from '@nestjs/common';
import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import { hasFewPlaces } from '../attempt/provider-places';
import type { ComputeProvider, SubmitOutcome, TaskFacts, TaskLora } from '../providers/compute-provider.port';
import { providerBreakerOpen } from '../jobs.metrics';
import { ProviderLoad } from '../providers/provider-load';
import { ProviderRegistry } from '../providers/provider-registry';
import { Breaker, type Sign } from './breaker';
import { chooseRoute } from './choose-route';
import { WarmModels } from './warm-models';

/** A job as its routing sees it. */
export interface RoutedJob {
  id: string;
  routes: Route[];
  /** Without a template: each route names its own. */
  task: TaskFacts;
  /** Instances that did not take it before, or failed at it in a way that another might not. */
  tried: readonly string[];
}

export interface ChosenRoute {
  provider: ComputeProvider;
  template: string | undefined;
}

/**
 * Says which instance gets a job: in the order and by the weights of its routes, past those that are full, in trouble, or
 * cannot run it exactly as it is. What it knows of trouble is this process's own; how full an instance is, is counted over all.
 */
@Injectable()
export class Router {
  private readonly breakers = new Map<string, Breaker>();
  private readonly warmModels = new WarmModels();

  constructor(
    private readonly providers: ProviderRegistry,
    private readonly load: ProviderLoad,
  ) {}

  /** How many more jobs with these routes can be given away now; whether each one of them can is only known by `choose`. */
  async room(routes: Route[]): Promise<number> {
    const known = this.known(routes);
    await Promise.all(known.map(({ provider }) => this.load.room(provider)));
    return known.reduce((sum, { provider }) => sum + this.roomNow(provider), 0);
  }

  /** Whether an instance of these takes so little that its places are given away one process after the other. */
  hasFewPlaces(routes: Route[]): boolean {
    return this.known(routes).some(({ provider }) => hasFewPlaces(provider));
  }

  /** Takes a place for the job at an instance; null where none can take it now. Its fate is to be told to `report`. */
  async choose({ routes, task, tried }: RoutedJob): Promise<ChosenRoute | null> {
    const able = this.known(routes).filter((known) => obstacleAt(known, task) === null);
    await Promise.all(able.map(({ provider }) => this.load.room(provider)));
    // Nothing is awaited from here on, or two choices at once would both take the last place.
    const open = able
      .filter(({ provider }) => this.roomNow(provider) > 0)
      .map(({ provider, route }) => ({
        route,
        isWarm: provider.reloadsModels === true ? this.warmModels.isWarm(provider.id, modelOf(route, task)) : null,
        wasTried: tried.includes(provider.id),
      }));
    const route = chooseRoute(open, Math.random());
    const provider = route && this.providers.find(route.provider);
    if (!route || !provider) return null;
    this.load.add(provider, 1);
    this.breaker(provider.id).sent(performance.now());
    this.warmModels.load(provider.id, modelOf(route, task));
    return { provider, template: route.template };
  }

  /**
   * What each instance says against the task, where all of them say something; null where at least one could run it. A job
   * with such obstacles would wait until its deadline for nothing.
   */
  findObstacles(routes: Route[], task: TaskFacts): string[] | null {
    const obstacles = this.known(routes).map((known) => obstacleAt(known, task));
    const found = obstacles.filter((obstacle) => obstacle !== null);
    return found.length === obstacles.length ? found : null;
  }

  /** What came of a submission: to be told as soon as the instance is known to work on it. */
  report(providerId: string, jobId: string, outcome: SubmitOutcome): void {
    this.breaker(providerId).see(signOf(jobId, outcome), performance.now());
  }

  /** A job that had a place there was not sent after all, which shows nothing of the instance. */
  withdraw(providerId: string): void {
    this.breaker(providerId).withdraw();
  }

  private known(routes: Route[]): KnownRoute[] {
    return routes.flatMap((route) => {
      const instance = this.providers.findInstance(route.provider);
      if (!instance || !hasTemplate(instance.provider, route)) return [];
      return [{ route, provider: instance.provider, sharesLoras: instance.loraDir !== null }];
    });
  }

  private roomNow(provider: ComputeProvider): number {
    const allowed = this.breaker(provider.id).room(performance.now());
    return Math.max(0, Math.min(allowed, this.load.knownRoom(provider)));
  }

  private breaker(providerId: string): Breaker {
    const known = this.breakers.get(providerId) ?? newBreaker(providerId);
    this.breakers.set(providerId, known);
    return known;
  }
}

function newBreaker(provider: string): Breaker {
  const breaker = new Breaker();
  providerBreakerOpen.readBy({ provider }, () => (breaker.isOpen ? 1 : 0));
  return breaker;
}

interface KnownRoute {
  route: Route;
  provider: ComputeProvider;
  sharesLoras: boolean;
}

/** A route to a template that is not there is as good as one to an instance that is not: no request can mend it. */
export function hasTemplate({ templateNames }: ComputeProvider, { template = '' }: Route): boolean {
  return templateNames === undefined || templateNames.has(template);
}

/** The name of a file that nobody has fetched yet. */
const TO_COME = 'to-come.safetensors';

function obstacleAt({ route, provider, sharesLoras }: KnownRoute, task: TaskFacts): string | null {
  const loras = sharesLoras ? task.loras.map(withFiles) : task.loras;
  return provider.findObstacle({
    ...task,
    loras,
    ...(route.template === undefined ? {} : { template: route.template }),
  });
}

/** As it will be once its files have been fetched, which is not done before it is known where the job goes. */
function withFiles(lora: TaskLora): TaskLora {
  const { url, low_url: lowUrl, file } = lora;
  if (url === undefined || file !== undefined) return lora;
  return { ...lora, file: TO_COME, ...(lowUrl === undefined ? {} : { low_file: TO_COME }) };
}

/** What an instance has to load for a task. */
function modelOf(route: Route, task: TaskFacts): string {
  return route.template ?? task.model;
}

function signOf(jobId: string, outcome: SubmitOutcome): Sign {
  switch (outcome.kind) {
    case 'accepted':
    case 'finished':
    case 'failed':
      return { kind: 'reached' };
    case 'refused':
      return { kind: 'refused', jobId, retryAfterMs: outcome.retryAfterMs };
    case 'unknown':
      return { kind: 'lost' };
  }
}
