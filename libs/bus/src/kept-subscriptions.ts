import { setImmediate as nextTick } from 'node:timers/promises';
import type { Msg, NatsConnection, Subscription } from 'nats';
import type { BrokerRefusals } from './broker-refusals';

const FIRST_RETRY_MS = 500;
const MOST_RETRY_MS = 15_000;

export interface SubscriptionRequest {
  subject: string;
  queue?: string;
  /** Stands for the subject in logs and metrics where the subject is unique to the process. */
  label?: string;
  take: (message: Msg) => void;
}

/** One subscription that the process needs for as long as it runs. */
export class KeptSubscription {
  private current: Subscription | undefined;

  constructor(
    private readonly connection: NatsConnection,
    readonly request: SubscriptionRequest,
    private readonly onRefused: (subscription: KeptSubscription) => void,
  ) {}

  get label(): string {
    return this.request.label ?? this.request.subject;
  }

  open(): void {
    const { subject, queue, take } = this.request;
    // After a removal of rights the client still counts the old subscription as its own, and would open both at a reconnect.
    this.current?.unsubscribe();
    this.current = this.connection.subscribe(subject, {
      ...(queue === undefined ? {} : { queue }),
      callback: (error, message) => (error ? this.onRefused(this) : take(message)),
    });
  }

  async drain(): Promise<void> {
    if (this.current && !this.current.isClosed()) await this.current.drain();
  }
}

/**
 * Opens subscriptions and keeps them. The client drops a subscription that the broker refuses, at its start or when the rights of
 * the user change; without a retry its subject would stay without a server until the next restart.
 */
export class KeptSubscriptions {
  private readonly kept = new Set<KeptSubscription>();
  private readonly refused = new Set<KeptSubscription>();
  private retrying = false;

  constructor(
    private readonly connection: NatsConnection,
    private readonly refusals: BrokerRefusals,
  ) {
    void this.noteRemovedRights();
  }

  open(request: SubscriptionRequest): KeptSubscription {
    const subscription = new KeptSubscription(this.connection, request, (refused) => this.onRefused(refused));
    this.kept.add(subscription);
    subscription.open();
    return subscription;
  }

  /** Ends subscriptions for good, after the messages that have arrived. */
  async release(subscriptions: KeptSubscription[], isConnected: boolean): Promise<void> {
    for (const subscription of subscriptions) {
      this.kept.delete(subscription);
      this.markGranted(subscription);
    }
    // A broker that is away cannot confirm the end of a subscription, and delivers nothing, so there is nothing to drain.
    if (isConnected) await Promise.all(subscriptions.map((subscription) => subscription.drain()));
  }

  /** The error of removed rights lacks the queue group, so the client does not find its subscription and calls no callback. */
  private async noteRemovedRights(): Promise<void> {
    for await (const { permissionContext } of this.connection.status()) {
      if (permissionContext?.operation !== 'subscription') continue;
      for (const subscription of this.kept)
        if (subscription.request.subject === permissionContext.subject) this.onRefused(subscription);
    }
  }

  private onRefused(subscription: KeptSubscription): void {
    if (!this.kept.has(subscription)) return;
    this.refused.add(subscription);
    this.refusals.add('subscribe', subscription.label);
    if (!this.retrying) void this.retry();
  }

  private markGranted(subscription: KeptSubscription): void {
    this.refused.delete(subscription);
    const isRefused = [...this.refused].some(({ label }) => label === subscription.label);
    if (!isRefused) this.refusals.remove('subscribe', subscription.label);
  }

  private async retry(): Promise<void> {
    this.retrying = true;
    for (let attempt = 0; this.refused.size > 0 && !this.connection.isClosed(); attempt++) {
      await pause(retryDelayMs(attempt));
      await this.openRefused().catch(() => undefined);
    }
    this.retrying = false;
  }

  /** All that are refused at once, so that the round trips of a retry do not grow with their number. */
  private async openRefused(): Promise<void> {
    const reopened = [...this.refused];
    this.refused.clear();
    for (const subscription of reopened) subscription.open();
    try {
      // The broker answers in order: a refusal arrives before the answer to the flush. Its status event is read one turn later.
      await this.connection.flush();
      await nextTick();
    } catch (error) {
      for (const subscription of reopened) if (this.kept.has(subscription)) this.refused.add(subscription);
      throw error;
    }
    for (const subscription of reopened) if (!this.refused.has(subscription)) this.markGranted(subscription);
  }
}

/** Exponential, with half of it random, so that the replicas of a service do not retry at once. */
export function retryDelayMs(attempt: number): number {
  const mostMs = Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempt, 10));
  return (mostMs * (1 + Math.random())) / 2;
}

/** Does not keep the process alive. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
