import { followEvents } from './event-stream';
import { ListCall } from './list-call';
import type {
  Account,
  ApiKey,
  DeletedApiKey,
  IssuedApiKey,
  IssuedWebhookSecret,
  NewKey,
  StatementEntry,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookEvent,
} from './resources';
import { type CallOptions, type Transport, segment } from './transport';
import { unwrapWebhook } from './webhook-signature';

export interface PageParameters {
  /** Items of a page, 1 to 100. */
  limit?: number;
  cursor?: string;
}

/** A repeat of an operation with this mark would take effect twice, so a lost answer is reported and not retried. */
const ONCE = { repeatable: false } as const;

export class AccountCalls {
  constructor(private readonly transport: Transport) {}

  get(options?: CallOptions): Promise<Account> {
    return this.transport.request({ method: 'GET', path: '/account' }, options);
  }

  /** The entries of the ledger, newest first. */
  statement(parameters: PageParameters = {}, options?: CallOptions): ListCall<StatementEntry> {
    return new ListCall(this.transport, '/account/statement', parameters, options);
  }
}

export class Keys {
  constructor(private readonly transport: Transport) {}

  list(parameters: PageParameters = {}, options?: CallOptions): ListCall<ApiKey> {
    return new ListCall(this.transport, '/account/keys', parameters, options);
  }

  /** The secret, `api_key`, is in this answer only. */
  create(body: NewKey, options?: CallOptions): Promise<IssuedApiKey> {
    return this.transport.request({ method: 'POST', path: '/account/keys', body, ...ONCE }, options);
  }

  async rotate(id: string, body: { overlap_seconds?: number } = {}, options?: CallOptions): Promise<IssuedApiKey> {
    const path = `/account/keys/${segment(id)}/rotate`;
    return await this.transport.request({ method: 'POST', path, body, ...ONCE }, options);
  }

  async revoke(id: string, options?: CallOptions): Promise<DeletedApiKey> {
    const path = `/account/keys/${segment(id)}`;
    return await this.transport.request({ method: 'DELETE', path, ...ONCE }, options);
  }
}

export interface DeliveryFilters extends PageParameters {
  jobId?: string;
  status?: WebhookDelivery['status'];
  host?: string;
  since?: string;
}

export class Deliveries {
  constructor(private readonly transport: Transport) {}

  list(filters: DeliveryFilters = {}, options?: CallOptions): ListCall<WebhookDelivery> {
    return new ListCall(this.transport, '/webhooks/deliveries', filters, options);
  }

  async get(id: string, options?: CallOptions): Promise<WebhookDeliveryDetails> {
    return await this.transport.request({ method: 'GET', path: `/webhooks/deliveries/${segment(id)}` }, options);
  }

  async redeliver(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    const path = `/webhooks/deliveries/${segment(id)}/redeliver`;
    return await this.transport.request({ method: 'POST', path, ...ONCE }, options);
  }
}

export class Webhooks {
  constructor(private readonly transport: Transport) {}

  /** The event of a genuine webhook. @throws WebhookVerificationError */
  readonly unwrap = unwrapWebhook;

  test(body: { url: string }, options?: CallOptions): Promise<WebhookDelivery> {
    return this.transport.request({ method: 'POST', path: '/webhooks/test', body, ...ONCE }, options);
  }

  /** The new secret is in this answer only. */
  rotateSecret(body: { overlap_seconds?: number } = {}, options?: CallOptions): Promise<IssuedWebhookSecret> {
    const path = '/account/webhook-secret/rotate';
    return this.transport.request({ method: 'POST', path, body, ...ONCE }, options);
  }
}

export interface FeedParameters {
  /** A `next_cursor`, or the id of the last event that was handled. */
  after?: string;
  type?: WebhookEvent['type'];
}

/** An event of the feed. `cursor` is what `after` takes to continue behind it. */
export interface FeedEvent {
  cursor: string | null;
  event: WebhookEvent;
}

/** The ends of all jobs of the account, oldest first; nothing is skipped. */
export class Events {
  constructor(private readonly transport: Transport) {}

  /** Up to the end of the feed. */
  list(parameters: FeedParameters & { limit?: number } = {}, options?: CallOptions): ListCall<WebhookEvent> {
    return new ListCall(this.transport, '/events', parameters, options, 'after');
  }

  /** Stays open until the caller stops or `signal` aborts. */
  async *stream(
    { after, type }: FeedParameters = {},
    options: CallOptions = {},
  ): AsyncGenerator<FeedEvent, void, undefined> {
    const operation = { method: 'GET', path: '/events', query: { type } } as const;
    const follow = { ...options, lastEventId: after };
    for await (const { id, type: kind, data } of followEvents(this.transport, operation, follow))
      if (kind.startsWith('job.')) yield { cursor: id, event: data as WebhookEvent };
  }
}
