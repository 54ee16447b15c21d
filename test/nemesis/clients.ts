import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from '@kinora/contracts/billing/account';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import type { WebhookEvent } from '@kinora/contracts/jobs/webhook-event';
import { ApiError } from '@kinora/contracts/shared/errors';
import { answerProblems } from '../support/described-answers';
import { onBus } from '../support/operator';
import { type Call, PATIENCE_MS, type SeenJob } from './history';
import { COMMANDS, command } from './operators';
import { type OpenedAccount, Payments } from './payments';
import type { NemesisStack } from './stack';
import type { Creation, Operation, ReceiverKind } from './swarm';

const WAIT_SECONDS = 3;
/** The largest amount asks for the longest page. */
const PAGE_STEP = 5;
/** Long enough to see what has happened before the feed was opened. */
const FOLLOWED_MS = 2_000;

const PATHS = { image: '/images/generations', edit: '/images/edits', video: '/videos/generations' } as const;

interface Received {
  status: number;
  body: unknown;
  headers: Headers;
}

/** What is recorded of an answer beside its status. */
type Seen = Partial<Pick<Call, 'jobs' | 'balanceMicros' | 'feed' | 'differences' | 'code'>>;

/** All clients and the operator of a run. They write down each request and its answer, if there was one. */
export class Clients {
  readonly calls: Call[] = [];
  readonly payments: Payments;
  private readonly jobOf = new Map<number, string>();
  private readonly creations = new Map<number, Promise<unknown>>();

  constructor(
    private readonly stack: NemesisStack,
    private readonly accounts: OpenedAccount[],
    private readonly priceGroup: string,
    private readonly receiverUrl: (receiver: ReceiverKind, account: number) => string,
    /** A data URI of the image that is edited. */
    private readonly image: string,
  ) {
    this.payments = new Payments(stack, accounts);
  }

  async perform(operation: Operation): Promise<void> {
    await delay(operation.atMs);
    // Its client learns the id of a job from the answer to the creation.
    await this.creations.get(operation.of ?? -1);
    const call = this.call(operation);
    if (operation.creation) this.creations.set(operation.id, call);
    await call;
  }

  /** An operation about a job whose id no client has learned cannot be called. */
  async call(operation: Operation): Promise<Call | null> {
    const request = this.requestOf(operation);
    if (request === null) return null;
    const call: Call = {
      operation: operation.id,
      kind: operation.kind,
      account: operation.account,
      of: operation.of,
      creation: operation.creation,
      invokedAtMs: performance.now(),
      answeredAtMs: null,
      status: null,
      code: null,
      differences: [],
      jobs: [],
      balanceMicros: null,
      feed: [],
      amount: operation.amount,
      card: operation.card,
    };
    this.calls.push(call);
    const seen = await request().catch(refusalUnlessLost);
    if (seen === null) return call;
    Object.assign(call, seen, { answeredAtMs: performance.now() });
    const [job] = call.jobs;
    if (operation.kind === 'create' && job) this.jobOf.set(operation.id, job.id);
    return call;
  }

  private requestOf(operation: Operation): (() => Promise<Seen & { status: number }>) | null {
    const { kind, creation, account, gateway, amount } = operation;
    if (creation) return () => this.create(creation, account, gateway);
    const get = (path: string, headers = {}) => this.send(account, gateway, 'GET', path, undefined, headers);
    if (kind in COMMANDS)
      return () => command(this.stack, this.accountAt(account).accountId, this.priceGroup, operation);
    if (kind === 'pay') return () => this.payments.pay(operation);
    if (kind === 'refund') return this.payments.refund(operation);
    if (kind === 'key') return () => this.useRevokedKey(account, gateway);
    if (kind === 'list') return () => get(`/jobs?limit=${amount * PAGE_STEP}`);
    if (kind === 'events') return () => get(`/events?limit=${amount * PAGE_STEP}`);
    if (kind === 'feed') return () => this.follow(account, gateway, '/events');
    if (kind === 'balance') return () => get('/account');
    if (kind === 'usage') return () => get('/usage');
    const quoted = { operation: 'images.generations', request: { prompt: 'a lake', n: 1 } };
    if (kind === 'quote') return () => this.send(account, gateway, 'POST', '/quotes', quoted);
    const id = this.jobOf.get(operation.of ?? -1);
    if (id === undefined) return null;
    if (kind === 'read') return () => get(`/jobs/${id}`);
    if (kind === 'wait') return () => get(`/jobs/${id}`, { prefer: `wait=${WAIT_SECONDS}` });
    if (kind === 'follow') return () => this.follow(account, gateway, `/jobs/${id}/events`);
    if (kind === 'receipt') return () => get(`/jobs/${id}/receipt`);
    if (kind === 'cancel') return () => this.send(account, gateway, 'POST', `/jobs/${id}/cancel`);
    const text = { text: 'It is a lake.' };
    if (kind === 'appeal') return () => this.send(account, gateway, 'POST', `/jobs/${id}/appeal`, text);
    const path = kind === 'delete_outputs' ? `/jobs/${id}/outputs` : `/jobs/${id}/content`;
    return () => this.send(account, gateway, 'DELETE', path);
  }

  private async create(
    { endpoint, key, isMarked, tag, directive, n, receiver }: Creation,
    account: number,
    gateway: number,
  ) {
    const webhook_url = receiver === null ? null : this.receiverUrl(receiver, account);
    const body = {
      prompt: `${directive} a lake ${tag}`,
      metadata: { tag },
      ...(webhook_url !== null && { webhook_url }),
      ...(endpoint === 'edit' || endpoint === 'video' ? { image: this.image } : { size: '128x128', n }),
      ...(endpoint === 'openai' && { response_format: 'url' }),
    };
    const headers = {
      ...(key !== null && { 'idempotency-key': key }),
      ...(isMarked && { 'x-stainless-retry-count': '1' }),
    };
    if (endpoint !== 'openai') return await this.send(account, gateway, 'POST', PATHS[endpoint], body, headers);
    // Its answers are described by another document, and name the job in a header.
    const path = '/../openai/v1/images/generations';
    const { status, body: answer } = await this.fetch(account, gateway, 'POST', path, body, headers);
    return { status, code: codeOf(answer) };
  }

  /** Reads a stream to its end, or for a while. */
  private async follow(account: number, gateway: number, path: string): Promise<Seen & { status: number }> {
    const response = await fetch(`${this.stack.baseUrl(gateway)}${path}`, {
      headers: { authorization: `Bearer ${this.accountAt(account).apiKey}`, accept: 'text/event-stream' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.status !== 200) return { status: response.status, code: codeOf(await response.json()) };
    const until = performance.now() + (path === '/events' ? FOLLOWED_MS : PATIENCE_MS);
    let text = '';
    try {
      const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
      for (let next = reader.read(); ; next = reader.read()) {
        const read = await Promise.race([next, delay(until - performance.now(), null)]);
        if (read === null || read.done) break;
        text += read.value;
      }
      await reader.cancel();
    } catch (error) {
      // The events before the break count.
      if (!LOST.test(String(error))) throw error;
    }
    return { status: 200, ...seenInStream(text) };
  }

  /** The answer of a key whose revocation was answered. */
  private async useRevokedKey(account: number, gateway: number): Promise<Seen & { status: number }> {
    const { accountId } = this.accountAt(account);
    const key = await onBus(this.stack.stack, async (bus) => {
      const created = await bus.request(billingAdminRpc.createKey, { account_id: accountId, name: 'short-lived' });
      await fetch(`${this.stack.baseUrl(gateway)}/account`, asKey(created.api_key)).catch(() => null);
      await bus.request(billingAdminRpc.revokeKey, { api_key_id: created.api_key_id });
      return created.api_key;
    });
    const response = await fetch(`${this.stack.baseUrl(gateway)}/account`, asKey(key));
    return { status: response.status, code: codeOf(await response.json()) };
  }

  private async send(account: number, gateway: number, method: string, path: string, body?: unknown, headers = {}) {
    const isCurrent = Date.now() > this.stack.currentSinceMs;
    const answer = await this.fetch(account, gateway, method, path, body, headers);
    const differences = isCurrent ? answerProblems(method, path, answer) : [];
    return { status: answer.status, differences, code: codeOf(answer.body), ...seenIn(path, answer.body) };
  }

  private async fetch(
    account: number,
    gateway: number,
    method: string,
    path: string,
    body?: unknown,
    headers = {},
  ): Promise<Received> {
    const authorization = `Bearer ${this.accountAt(account).apiKey}`;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${this.stack.baseUrl(gateway)}${path}`, {
      method,
      headers: { authorization, ...type, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  private accountAt(account: number): OpenedAccount {
    return this.accounts[account] as OpenedAccount;
  }
}

function asKey(apiKey: string): RequestInit {
  return { headers: { authorization: `Bearer ${apiKey}` }, signal: AbortSignal.timeout(PATIENCE_MS) };
}

/**
 * The errors of a broken connection or an expired signal, and those of the bus where an operator's request was not answered; every
 * other error is one of this program.
 */
const LOST =
  /^(TypeError: (fetch failed|terminated)|TimeoutError|ApiError|UnansweredError|NatsError|Error: \w+ E[A-Z]+)/;

/** An operator's command that was refused is answered; null where no answer came. */
function refusalUnlessLost(error: unknown): (Seen & { status: number }) | null {
  if (error instanceof ApiError && error.code !== 'capacity') return { status: error.status, code: error.code };
  if (LOST.test(String(error)) || LOST.test((error as Error).constructor.name)) return null;
  throw error;
}

function codeOf(body: unknown): string | null {
  return (body as { error?: { code?: string } }).error?.code ?? null;
}

function seenIn(path: string, body: unknown): Seen {
  const { object, data } = body as { object?: string; data?: unknown[] };
  if (object === 'job') return { jobs: [seenJob(body as Job)] };
  if (object === 'account') return { balanceMicros: (body as Account).balance_micros };
  if (path.startsWith('/jobs?')) return { jobs: ((data ?? []) as Job[]).map(seenJob) };
  if (!path.startsWith('/events')) return {};
  const events = (data ?? []) as WebhookEvent[];
  return { feed: events.map((event) => event.data.object.id), jobs: events.map((event) => seenJob(event.data.object)) };
}

/** The jobs of a stream whose events are whole. */
function seenInStream(text: string): Seen {
  const events = [...text.matchAll(/^event: job\.(?:succeeded|failed|canceled)\ndata: (.+)\n\n/gm)].map(
    ([, data = '{}']) => JSON.parse(data) as Job | WebhookEvent,
  );
  const feed = events.flatMap((event) => ('data' in event ? [event.data.object.id] : []));
  return { feed, jobs: events.map((event) => seenJob('data' in event ? event.data.object : event)) };
}

export function seenJob(job: Job): SeenJob {
  const { id, status, metadata, usage, created_at, completed_at, output } = job;
  return {
    id,
    status,
    tag: metadata?.['tag'] ?? '',
    chargedMicros: usage.charged_micros,
    createdAtMs: Date.parse(created_at),
    completedAtMs: completed_at === null ? null : Date.parse(completed_at),
    outputs: output === null ? 0 : 'images' in output ? output.images.length : 1,
  };
}
