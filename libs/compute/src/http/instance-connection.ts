import { Pool } from 'undici';
import { parseUrl } from '@kinora/contracts/shared/texts';
import { type Egress, EgressError } from '@kinora/egress';
import type { Clock } from '@kinora/service-kit';
import { inSpan, type SpanShape } from '@kinora/tracing';
import { InvalidUpstreamOutput, ProviderUnreachable } from '../compute-provider.port';
import { exchange, type HttpAnswer } from './bounded-exchange';
import { AnswerTooLong, TransportError } from './failure-words';
import type { FormBody } from './multipart';

const CONNECT_TIMEOUT_MS = 5_000;
/** Separate from the connections of submissions, so that polls, cancels and downloads do not queue behind the work. */
const CONTROL_CONNECTIONS = 8;

export interface InstanceRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** A path relative to the instance's URL, or a whole URL of its origin, as some backends return. */
  to: string;
  headers?: Record<string, string>;
  json?: unknown;
  form?: FormBody;
  timeoutMs: number;
  maxAnswerBytes: number;
  signal?: AbortSignal;
  /** Called right before the first byte is sent. */
  onSent?: () => void;
}

export interface FileBounds {
  timeoutMs: number;
  maxBytes: number;
}

export interface ConnectionSettings {
  /** May have a path, which is prepended to that of every request. */
  url: string;
  /** Sent to the origin of the URL only. */
  headers: Record<string, string>;
  /** Requests that may be open for as long as the work lasts. */
  concurrency: number;
  egress: Egress;
}

/**
 * HTTP client of one instance: bounded in time and size; credentials are sent to its origin only, and never through redirects.
 */
export class InstanceConnection {
  private readonly base: URL;
  private readonly pool: Pool;
  /** The host without the path, because the URL of some backends has a secret in its path. */
  private readonly controlPool: SpanShape;

  constructor(private readonly settings: ConnectionSettings) {
    this.base = new URL(settings.url);
    this.controlPool = { kind: 'client', attributes: { 'server.address': this.base.host } };
    this.pool = new Pool(this.base.origin, {
      connections: settings.concurrency + CONTROL_CONNECTIONS,
      pipelining: 1,
      connect: { timeout: CONNECT_TIMEOUT_MS },
    });
  }

  /** @throws TransportError without a whole answer; an answer with any status is returned. */
  async send(request: InstanceRequest): Promise<HttpAnswer> {
    const url = this.findOwnUrl(request.to);
    if (url === null) throw new TransportError('the address is of another origin', false);
    return inSpan('provider_request', this.controlPool, async (span) => {
      const answer = await this.exchange(url, request);
      span.set({ 'http.request.method': request.method, 'http.response.status_code': answer.status });
      return answer;
    });
  }

  /**
   * Fetches a file from a path or a URL that the backend returned. Other origins than the instance's are reached through
   * egress and never receive its headers. One redirect is followed, because some backends redirect to their storage.
   * @throws ProviderUnreachable when it is not available now, InvalidUpstreamOutput when it never will be.
   */
  async fetchFile(to: string, bounds: FileBounds): Promise<Buffer> {
    const url = this.findOwnUrl(to);
    if (url === null) return this.fetchElsewhere(to, bounds);
    const answer = await this.getFile(to, bounds);
    const target = findRedirect(answer, url);
    if (target === null) return toOwnFile(answer);
    return this.owns(target) ? toOwnFile(await this.getFile(target, bounds)) : this.fetchElsewhere(target, bounds);
  }

  /** Whether a URL from an answer has the instance's origin, so that credentials may be sent there. */
  owns(to: string): boolean {
    return this.findOwnUrl(to) !== null;
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private exchange(url: URL, request: InstanceRequest): Promise<HttpAnswer> {
    const deadline = AbortSignal.timeout(request.timeoutMs);
    const { body, headers } = toBody(request);
    return exchange(
      this.pool,
      {
        method: request.method,
        path: url.pathname + url.search,
        // A compressed answer would need two bounds: for the received bytes, and for the decompressed ones.
        headers: { 'accept-encoding': 'identity', ...headers, ...request.headers, ...this.settings.headers },
        body,
      },
      {
        signal: request.signal ? AbortSignal.any([request.signal, deadline]) : deadline,
        maxAnswerBytes: request.maxAnswerBytes,
        ...(request.onSent ? { onSent: request.onSent } : {}),
      },
    );
  }

  private findOwnUrl(to: string): URL | null {
    const isPath = to.startsWith('/');
    const text = isPath ? this.base.origin + this.base.pathname.replace(/\/$/, '') + to : to;
    const url = parseUrl(text);
    return url?.origin === this.base.origin ? url : null;
  }

  private async getFile(to: string, { timeoutMs, maxBytes }: FileBounds): Promise<HttpAnswer> {
    try {
      return await this.send({ method: 'GET', to, timeoutMs, maxAnswerBytes: maxBytes });
    } catch (error) {
      if (error instanceof AnswerTooLong) throw new InvalidUpstreamOutput('An output is too large.');
      throw new ProviderUnreachable('The backend did not return an output.', { cause: error });
    }
  }

  private async fetchElsewhere(url: string, { timeoutMs, maxBytes }: FileBounds): Promise<Buffer> {
    const request = { url, method: 'GET', headers: {}, timeoutMs, maxResponseBytes: maxBytes } as const;
    const { status, body, bodyEnd } = await this.settings.egress.send(request).catch((error: unknown) => {
      if (error instanceof EgressError && error.failure === 'blocked_address')
        throw new InvalidUpstreamOutput('An output has an address that may not be fetched.');
      throw new ProviderUnreachable('The storage of an output did not answer.', { cause: error });
    });
    if (bodyEnd === 'too_long') throw new InvalidUpstreamOutput('An output is too large.');
    if (bodyEnd !== 'complete') throw new ProviderUnreachable('The storage closed the connection within an output.');
    return toFile(status, body);
  }
}

function toBody({ json, form }: InstanceRequest): { body: string | Buffer | null; headers: Record<string, string> } {
  if (form) return { body: form.body, headers: { 'content-type': form.contentType } };
  if (json !== undefined) return { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } };
  return { body: null, headers: {} };
}

function findRedirect({ status, headers: { location } }: HttpAnswer, from: URL): string | null {
  const isRedirect = status >= 300 && status < 400 && location !== undefined;
  return isRedirect ? (parseUrl(location, from.href)?.href ?? null) : null;
}

/** A refused key is a temporary error: the operator can fix it, and the output still exists. */
function toOwnFile({ status, body }: HttpAnswer): Buffer {
  if ([401, 402, 403].includes(status))
    throw new ProviderUnreachable(`The backend refuses an output with ${status}: check the instance's key.`);
  return toFile(status, body);
}

/** A missing or forbidden file is a permanent error, because the URLs of backends expire. */
function toFile(status: number, body: Buffer): Buffer {
  if (status === 200) return body;
  if (status >= 300 && status < 500 && ![408, 425, 429].includes(status))
    throw new InvalidUpstreamOutput(`An output was answered with ${status}.`);
  throw new ProviderUnreachable(`An output was answered with ${status}.`);
}

/** A backend that is full or rejects a request answers immediately; without an answer for this time, it is at work. */
const AT_WORK_AFTER_MS = 1_000;

/** For submissions that last as long as the work: calls `onRunning` after a second without an answer. */
export function callAfterSilence(clock: Clock, onRunning: () => void, broken: AbortSignal): void {
  broken.addEventListener('abort', clock.after(AT_WORK_AFTER_MS, onRunning), { once: true });
}
