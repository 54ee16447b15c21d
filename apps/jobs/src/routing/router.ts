import { Injectable } from '@nestjs/common';
import {
  type ComputeProvider,
  type InstanceSlots,
  ProviderRegistry,
  type SubmitOutcome,
  type TaskFacts,
  type TaskLora,
  hasFewSlots,
} from '@kinora/compute';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import { providerBreakerOpen } from '../jobs.metrics';
import { ProviderLoad } from './provider-load';
import { Breaker, type BreakerSignal } from './breaker';
import { chooseRoute } from './choose-route';

/** A job as its routing sees it. */
export interface RoutedJob {
  id: string;
  accountId: string;
  routes: Route[];
  /** Without a template: each route names its own. */
  task: TaskFacts;
  /** Instances that did not take it before, or failed at it in a way that another might not. */
  tried: readonly string[];
}

export interface ChosenRoute {
  provider: ComputeProvider;
  slots: InstanceSlots;
  template: string | undefined;
}

/**
 * Says which instance gets a job: in the order and by the weights of its routes, past those that are full, in trouble, or
 * cannot run it exactly as it is. What it knows of trouble is this process's own; how full an instance is, is counted over all.
 */
@Injectable()
export class Router {
  private readonly breakers = new Map<string, Breaker>();
  /** When each instance that is in trouble got into it. */
  private readonly downSinceMs = new Map<string, number>();
  private readonly warmModels = new WarmModels();

  constructor(
    private readonly providers: ProviderRegistry,
    private readonly load: ProviderLoad,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** How many more jobs of the account can be given away now; whether each one of them can is only known by `choose`. */
  async room(routes: Route[], accountId: string): Promise<number> {
    const known = this.known(routes);
    await Promise.all(known.map(({ provider }) => this.load.refresh(provider)));
    return known.reduce((sum, { provider }) => sum + this.roomNow(provider, accountId), 0);
  }

  /** As `room`, for whatever account. */
  async commonRoom(routes: Route[]): Promise<number> {
    const known = this.known(routes);
    await Promise.all(known.map(({ provider }) => this.load.refresh(provider)));
    return known.reduce((sum, { provider }) => sum + this.allowedBy(provider, this.load.commonRoom(provider)), 0);
  }

  /** As `room`, for accounts that have nothing under way at these instances. */
  async newcomerRoom(routes: Route[]): Promise<number> {
    const known = this.known(routes);
    await Promise.all(known.map(({ provider }) => this.load.refresh(provider)));
    return known.reduce((sum, { provider }) => sum + this.allowedBy(provider, this.load.newcomerRoom(provider)), 0);
  }

  /** Whether an instance of these takes so little that its places are given away one process after the other. */
  hasFewSlots(routes: Route[]): boolean {
    return this.known(routes).some(({ provider }) => hasFewSlots(this.load.slots(provider)));
  }

  /** Takes a place for the job at an instance; null where none can take it now. Its fate is to be told to `report`. */
  async choose({ routes, accountId, task, tried }: RoutedJob): Promise<ChosenRoute | null> {
    const able = this.known(routes).filter((known) => unsupportedAt(known, task) === null);
    await Promise.all(able.map(({ provider }) => this.load.refresh(provider)));
    // Nothing is awaited from here on, or two choices at once would both take the last place.
    const open = able
      .filter(({ provider }) => this.roomNow(provider, accountId) > 0)
      .map(({ provider, route }) => ({
        route,
        isWarm: provider.reloadsModels === true ? this.warmModels.isWarm(provider.id, modelOf(route, task)) : null,
        wasTried: tried.includes(provider.id),
      }));
    const route = chooseRoute(open, Math.random());
    const provider = route && this.providers.find(route.provider);
    if (!route || !provider) return null;
    this.load.add(provider, accountId);
    this.breaker(provider.id).sent(performance.now());
    this.warmModels.load(provider.id, modelOf(route, task));
    return { provider, slots: this.load.slots(provider), template: route.template };
  }

  /**
   * What each instance says against the task, where all of them say something; null where at least one could run it. A job
   * with such obstacles would wait until its deadline for nothing.
   */
  findUnsupportedReasons(routes: Route[], task: TaskFacts): string[] | null {
    const unsupported = this.known(routes).map((known) => unsupportedAt(known, task));
    const found = unsupported.filter((unsupported) => unsupported !== null);
    return found.length === unsupported.length ? found : null;
  }

  /** What came of a submission: to be told as soon as the instance is known to work on it. */
  report(providerId: string, jobId: string, outcome: SubmitOutcome): void {
    const cause = 'reason' in outcome ? outcome.reason : undefined;
    this.change(providerId, cause ?? CAUSES[outcome.kind], (breaker) =>
      breaker.see(signalOf(jobId, outcome), performance.now()),
    );
  }

  /** The instance has said nothing of the tasks that it was asked for. */
  suspect(providerId: string): void {
    this.breaker(providerId).suspect();
  }

  /** Whether the instance is to be probed: it is in trouble, or may be. */
  wantsProbe(providerId: string): boolean {
    return this.breaker(providerId).wantsProbe;
  }

  /** What a probe has shown: null where it was answered, or else what came instead. */
  reportProbe(providerId: string, problem: string | null): void {
    this.change(providerId, problem ?? CAUSES.answered, (breaker) =>
      breaker.probed(problem === null, performance.now()),
    );
  }

  /** A job that had a place there was not sent after all, which shows nothing of the instance. */
  withdraw(providerId: string): void {
    this.breaker(providerId).withdraw();
  }

  /** Tells of an instance that gets into trouble, and that comes out of it: a line each, however long it lasts. */
  private change(provider: string, cause: string, act: (breaker: Breaker) => void): void {
    const breaker = this.breaker(provider);
    const wasOpen = breaker.isOpen;
    act(breaker);
    if (breaker.isOpen === wasOpen) return;
    if (breaker.isOpen) {
      this.downSinceMs.set(provider, performance.now());
      this.logger.warn({ provider, cause }, 'provider_unavailable');
    } else {
      const down_ms = Math.round(performance.now() - (this.downSinceMs.get(provider) ?? performance.now()));
      this.logger.info({ provider, cause, down_ms }, 'provider_available');
    }
  }

  private known(routes: Route[]): KnownRoute[] {
    return routes.flatMap((route) => {
      const instance = this.providers.findInstance(route.provider);
      if (!instance || !hasTemplate(instance.provider, route)) return [];
      return [{ route, provider: instance.provider, sharesLoras: instance.loraDir !== null }];
    });
  }

  private roomNow(provider: ComputeProvider, accountId: string): number {
    return this.allowedBy(provider, this.load.room(provider, accountId));
  }

  private allowedBy(provider: ComputeProvider, room: number): number {
    return Math.max(0, Math.min(this.breaker(provider.id).room(performance.now()), room));
  }

  private breaker(providerId: string): Breaker {
    const known = this.breakers.get(providerId) ?? newBreaker(providerId);
    this.breakers.set(providerId, known);
    return known;
  }
}

/** Which model each instance was last given, as far as this process knows: it is the one that is loaded there. */
class WarmModels {
  private readonly lastByInstance = new Map<string, string>();

  isWarm(instance: string, model: string): boolean {
    return this.lastByInstance.get(instance) === model;
  }

  load(instance: string, model: string): void {
    this.lastByInstance.set(instance, model);
  }
}

function newBreaker(provider: string): Breaker {
  const breaker = new Breaker();
  providerBreakerOpen.readBy({ provider }, () => (breaker.isOpen ? 1 : 0));
  return breaker;
}

/** Where nobody has given another one. */
const CAUSES = {
  accepted: 'it has taken a task',
  finished: 'it has done a task',
  failed: 'it has answered a task',
  refused: 'it takes no task',
  unknown: 'its answers are lost',
  answered: 'it answers again',
} as const;

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
const EXPECTED_FILE = 'to-come.safetensors';

function unsupportedAt({ route, provider, sharesLoras }: KnownRoute, task: TaskFacts): string | null {
  const loras = sharesLoras ? task.loras.map(withFiles) : task.loras;
  return provider.findUnsupported({
    ...task,
    loras,
    ...(route.template === undefined ? {} : { template: route.template }),
  });
}

/** As it will be once its files have been fetched, which is not done before it is known where the job goes. */
function withFiles(lora: TaskLora): TaskLora {
  const { url, low_url: lowUrl, file } = lora;
  if (url === undefined || file !== undefined) return lora;
  return { ...lora, file: EXPECTED_FILE, ...(lowUrl === undefined ? {} : { low_file: EXPECTED_FILE }) };
}

/** What an instance has to load for a task. */
function modelOf(route: Route, task: TaskFacts): string {
  return route.template ?? task.model;
}

function signalOf(jobId: string, outcome: SubmitOutcome): BreakerSignal {
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
