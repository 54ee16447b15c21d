import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from '@kinora/contracts/billing/account';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import type { WebhookEvent } from '@kinora/contracts/jobs/webhook-event';
import { answerProblems } from '../support/described-answers';
import { onBus } from '../support/operator';
import type { Call, SeenJob } from './history';
import type { NemesisStack } from './stack';
import type { Creation, Operation } from './swarm';

/** A client that has waited this long treats the outcome as unknown. */
const PATIENCE_MS = 8_000;
const WAIT_SECONDS = 3;
const TOP_UP_MICROS = 10_000;

export interface OpenedAccount {
  accountId: string;
  apiKey: string;
  webhookSecret: string;
}

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
  private readonly jobOf = new Map<number, string>();

  constructor(
    private readonly stack: NemesisStack,
    private readonly accounts: OpenedAccount[],
    private readonly receiverUrl: (creation: Creation, account: number) => string | null,
    /** A data URI of the image that is edited. */
    private readonly image: string,
  ) {}

  async perform(operation: Operation): Promise<void> {
    await delay(operation.atMs);
    await this.call(operation);
  }

  /** An operation about a job whose id no client has learned cannot be called. */
  async call(operation: Operation): Promise<Call | null> {
    const request = this.requestOf(operation);
    if (request === null) return null;
    const call: Call = {
      operation: operation.id,
      kind: operation.kind,
      account: operation.account,
      creation: operation.creation,
      invokedAtMs: performance.now(),
      answeredAtMs: null,
      status: null,
      code: null,
      differences: [],
      jobs: [],
      balanceMicros: null,
      feed: [],
      amount: operation.kind === 'top_up' ? operation.amount * TOP_UP_MICROS : operation.amount,
    };
    this.calls.push(call);
    const seen = await request().catch(unlessLost);
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
    if (kind === 'top_up') return () => this.topUp(operation);
    if (kind === 'limits') return () => this.setLimits(account, amount);
    if (kind === 'key') return () => this.useRevokedKey(account, gateway);
    if (kind === 'list') return () => get('/jobs?limit=100');
    if (kind === 'events') return () => get('/events?limit=100');
    if (kind === 'balance') return () => get('/account');
    if (kind === 'usage') return () => get('/usage');
    const quoted = { operation: 'images.generations', request: { prompt: 'a lake', n: 1 } };
    if (kind === 'quote') return () => this.send(account, gateway, 'POST', '/quotes', quoted);
    const id = this.jobOf.get(operation.of ?? -1);
    if (id === undefined) return null;
    if (kind === 'read') return () => get(`/jobs/${id}`);
    if (kind === 'wait') return () => get(`/jobs/${id}`, { prefer: `wait=${WAIT_SECONDS}` });
    if (kind === 'receipt') return () => get(`/jobs/${id}/receipt`);
    if (kind === 'cancel') return () => this.send(account, gateway, 'POST', `/jobs/${id}/cancel`);
    const path = kind === 'delete_outputs' ? `/jobs/${id}/outputs` : `/jobs/${id}/content`;
    return () => this.send(account, gateway, 'DELETE', path);
  }

  private async create(creation: Creation, account: number, gateway: number) {
    const { endpoint, key, tag, directive, n } = creation;
    const webhook_url = this.receiverUrl(creation, account);
    const body = {
      prompt: `${directive} a lake ${tag}`,
      metadata: { tag },
      ...(webhook_url !== null && { webhook_url }),
      ...(endpoint === 'edit' ? { image: this.image } : { size: '128x128', n }),
      ...(endpoint === 'openai' && { response_format: 'url' }),
    };
    const headers = key === null ? {} : { 'idempotency-key': key };
    if (endpoint !== 'openai')
      return await this.send(
        account,
        gateway,
        'POST',
        `/images/${endpoint === 'edit' ? 'edits' : 'generations'}`,
        body,
        headers,
      );
    // Its answers are described by another document, and name the job in a header.
    const { status, body: answer } = await this.fetch(
      account,
      gateway,
      'POST',
      '/../openai/v1/images/generations',
      body,
      headers,
    );
    return { status, code: codeOf(answer) };
  }

  private async topUp({ account, amount, id }: Operation): Promise<Seen & { status: number }> {
    const { accountId } = this.accountAt(account);
    const request = { account_id: accountId, amount_micros: amount * TOP_UP_MICROS, reference: `top-up-${id}` };
    await onBus(this.stack.stack, (bus) => bus.request(billingAdminRpc.topUp, request));
    return { status: 200 };
  }

  private async setLimits(account: number, max_concurrent_jobs: number): Promise<Seen & { status: number }> {
    const { accountId } = this.accountAt(account);
    await onBus(this.stack.stack, (bus) =>
      bus.request(billingAdminRpc.setLimits, { account_id: accountId, max_concurrent_jobs }),
    );
    return { status: 200 };
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
    const answer = await this.fetch(account, gateway, method, path, body, headers);
    const differences = answerProblems(method, path, answer);
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

function unlessLost(error: unknown): null {
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

export function seenJob(job: Job): SeenJob {
  const { id, status, metadata, usage, created_at, completed_at, output } = job;
  return {
    id,
    status,
    tag: metadata?.['tag'] ?? '',
    chargedMicros: usage.charged_micros,
    createdAtMs: Date.parse(created_at),
    completedAtMs: completed_at === null ? null : Date.parse(completed_at),
    outputs: output && 'images' in output ? output.images.length : 0,
  };
}
