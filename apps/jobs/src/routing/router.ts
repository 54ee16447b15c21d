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
import { Breaker, type BreakerSignal, UnansweredRequests } from './breaker';
import { chooseRoute } from './choose-route';
import { Outages } from './outages';

export interface RoutedJob {
  id: string;
  accountId: string;
  routes: Route[];
  /** Without a template: each route names its own. */
  task: TaskFacts;
  /** Instances that have refused it, or failed it in a way that may be specific to them. */
  tried: readonly string[];
}

export interface ChosenRoute {
  provider: ComputeProvider;
  slots: InstanceSlots;
  template: string | undefined;
}

/**
 * Chooses the instance for a job: by the order and the weights of its routes, without instances that are full, whose circuit
 * breaker is open, or that cannot run the job unchanged. Circuit breakers belong to this process; the load is counted over all
 * processes.
 */
@Injectable()
export class Router {
  private readonly breakers = new Map<string, Breaker>();
  /** When the circuit breaker of each instance opened. */
  private readonly downSinceMs = new Map<string, number>();
  private readonly unanswered = new UnansweredRequests();
  private readonly outages = new Outages();

  constructor(
    private readonly providers: ProviderRegistry,
    private readonly load: ProviderLoad,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** How many more jobs of the account can be sent now. Only `choose` decides whether a single job can be sent. */
  room(routes: Route[], accountId: string): Promise<number> {
    return this.sumOfRooms(routes, (provider) => this.load.room(provider, accountId));
  }

  /** Like `room`, for any account. */
  commonRoom(routes: Route[]): Promise<number> {
    return this.sumOfRooms(routes, (provider) => this.load.commonRoom(provider));
  }

  /** Like `room`, for accounts without tasks at these instances. */
  newcomerRoom(routes: Route[]): Promise<number> {
    return this.sumOfRooms(routes, (provider) => this.load.newcomerRoom(provider));
  }

  /** The routes to instances that need time to load a model. */
  loadingRoutes(routes: Route[]): Route[] {
    return this.known(routes).flatMap(({ route, provider }) => (provider.reloadsModels === true ? [route] : []));
  }

  /** The instances that need time to load a model, without those that do not answer. */
  loadingInstances(): string[] {
    const all = this.providers.listLoading().flatMap((id) => this.providers.find(id) ?? []);
    return this.answering(all.map((provider) => ({ provider }))).map(({ provider }) => provider.id);
  }

  /** How many more tasks each of these instances may get now: none where others answer and it does not. */
  async freePlaces(ids: string[]): Promise<Map<string, number>> {
    const all = ids.flatMap((id) => this.providers.find(id) ?? []).map((provider) => ({ provider }));
    const known = this.answering(all);
    await Promise.all(known.map(({ provider }) => this.load.refresh(provider)));
    return new Map(
      known.map(({ provider }) => [provider.id, this.allowedBy(provider, this.load.commonRoom(provider))]),
    );
  }

  /** Whether one of these instances has so few places that only one process at a time may fill them. */
  hasFewSlots(routes: Route[]): boolean {
    return this.known(routes).some(({ provider }) => hasFewSlots(this.load.slots(provider)));
  }

  /**
   * Takes a place for the job at an instance; null if none is free now. The caller must pass the result to `report` or call
   * `withdraw`.
   */
  async choose({ routes, accountId, task, tried }: RoutedJob): Promise<ChosenRoute | null> {
    const able = this.answering(this.known(routes).filter((known) => unsupportedAt(known, task) === null));
    await Promise.all(able.map(({ provider }) => this.load.refresh(provider)));
    // No `await` from here on: otherwise two concurrent choices could take the last place.
    const open = able
      .filter(({ provider }) => this.allowedBy(provider, this.load.room(provider, accountId)) > 0)
      .map(({ provider, route }) => ({
        route,
        wasTried: tried.includes(provider.id),
      }));
    const route = chooseRoute(open, Math.random());
    const provider = route && this.providers.find(route.provider);
    if (!route || !provider) return null;
    this.load.add(provider, accountId);
    this.breaker(provider.id).sent(performance.now());
    return { provider, slots: this.load.slots(provider), template: route.template };
  }

  /**
   * Why each instance cannot run the task, if none can; null if at least one could run it. Such a job would only wait until its
   * deadline.
   */
  findUnsupportedReasons(routes: Route[], task: TaskFacts): string[] | null {
    const unsupported = this.known(routes).map((known) => unsupportedAt(known, task));
    const found = unsupported.filter((unsupported) => unsupported !== null);
    return found.length === unsupported.length ? found : null;
  }

  /** Reports the result of a submission, as soon as it is known whether the instance works on it. */
  report(providerId: string, jobId: string, outcome: SubmitOutcome): void {
    if (outcome.kind !== 'unknown' && outcome.kind !== 'refused') this.unanswered.answered(providerId);
    const cause = 'reason' in outcome ? outcome.reason : undefined;
    this.change(providerId, cause ?? CAUSES[outcome.kind], (breaker) =>
      breaker.see(signalOf(jobId, outcome), performance.now()),
    );
  }

  /** A poll of its tasks is being sent to the instance. */
  pollSent(providerId: string): void {
    this.unanswered.sent(providerId, performance.now());
  }

  /** Reports the result of a poll: whether the instance has answered it. */
  reportPoll(providerId: string, isAnswered: boolean): void {
    if (isAnswered) return this.unanswered.answered(providerId);
    this.outages.begin(providerId, performance.now());
    this.breaker(providerId).suspect();
  }

  taskLeft(providerId: string): void {
    this.load.leave(providerId);
  }

  /** Whether it may have lost its tasks, so that all of them have to be polled. */
  mayHaveLostTasks(provider: ComputeProvider): boolean {
    return this.outages.has(provider.id) && this.losesTogether(provider);
  }

  /** Whether it loses all its tasks at once. With many places the order of a few jobs matters less than a poll of all. */
  losesTogether(provider: ComputeProvider): boolean {
    return provider.hosting === 'own' && hasFewSlots(this.load.slots(provider));
  }

  /** What has become of its tasks is recorded. */
  tasksAreKnown(providerId: string): void {
    if (this.outages.end(providerId)) this.load.reopen();
  }

  /** Whether the instance has to be probed: its breaker is open, or a poll had no answer. */
  wantsProbe(providerId: string): boolean {
    return this.breaker(providerId).wantsProbe;
  }

  /** Whether the circuit breaker of this process for the instance is open or half-open. */
  isBreakerOpen(providerId: string): boolean {
    return this.breaker(providerId).isOpen;
  }

  /** Reports the result of a probe: null for an answer, else the problem. */
  reportProbe(providerId: string, problem: string | null): void {
    if (problem === null) this.unanswered.answered(providerId);
    const wasOpen = this.isBreakerOpen(providerId);
    this.change(providerId, problem ?? CAUSES.answered, (breaker) =>
      breaker.probed(problem === null, performance.now()),
    );
    if (wasOpen && !this.isBreakerOpen(providerId)) this.outages.isBack(providerId, performance.now());
  }

  /** A job with a place there was not sent, which says nothing about the instance. */
  withdraw(providerId: string): void {
    this.breaker(providerId).withdraw();
  }

  /** Logs one line when the circuit breaker of an instance opens, and one when it closes. */
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

  /** Without the instances that do not answer, unless there is no other one. */
  private answering<Known extends Pick<KnownRoute, 'provider'>>(known: Known[]): Known[] {
    const nowMs = performance.now();
    const answering = known.filter(({ provider }) => !this.unanswered.isSilent(provider.id, nowMs));
    return answering.some(({ provider }) => !this.isBreakerOpen(provider.id)) ? answering : known;
  }

  private async sumOfRooms(routes: Route[], roomAt: (provider: ComputeProvider) => number): Promise<number> {
    const known = this.answering(this.known(routes));
    await Promise.all(known.map(({ provider }) => this.load.refresh(provider)));
    return known.reduce((sum, { provider }) => sum + this.allowedBy(provider, roomAt(provider)), 0);
  }

  private allowedBy(provider: ComputeProvider, room: number): number {
    const nowMs = performance.now();
    if (this.losesTogether(provider) && this.outages.isBlocking(provider.id, nowMs)) return 0;
    return Math.max(0, Math.min(this.breaker(provider.id).room(nowMs), room));
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

/** Used if the outcome has no reason of its own. */
const CAUSES = {
  accepted: 'it has accepted a task',
  finished: 'it has finished a task',
  failed: 'it has answered a task',
  refused: 'it refuses tasks',
  unknown: 'its answers are lost',
  answered: 'it answers again',
} as const;

interface KnownRoute {
  route: Route;
  provider: ComputeProvider;
  sharesLoras: boolean;
}

/** A route to a missing template is ignored like a route to a missing instance: no change of the request could make it work. */
export function hasTemplate({ templateNames }: ComputeProvider, { template = '' }: Route): boolean {
  return templateNames === undefined || templateNames.has(template);
}

/** Stands for a file that is not fetched yet. */
const EXPECTED_FILE = 'to-come.safetensors';

function unsupportedAt({ route, provider, sharesLoras }: KnownRoute, task: TaskFacts): string | null {
  const loras = sharesLoras ? task.loras.map(withFiles) : task.loras;
  return provider.findUnsupported({
    ...task,
    loras,
    ...(route.template === undefined ? {} : { template: route.template }),
  });
}

/** The LoRA as it will be after its files are fetched, which happens only after the instance is chosen. */
function withFiles(lora: TaskLora): TaskLora {
  const { url, low_url: lowUrl, file } = lora;
  if (url === undefined || file !== undefined) return lora;
  return { ...lora, file: EXPECTED_FILE, ...(lowUrl === undefined ? {} : { low_file: EXPECTED_FILE }) };
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
