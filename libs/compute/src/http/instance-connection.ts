import { type SpanShape, inSpan } from '@kinora/tracing';
import { Pool } from 'undici';
import { parseUrl } from '@kinora/contracts/shared/parse-url';
import { type Egress, EgressError } from '@kinora/egress';
import { InvalidUpstreamOutput, ProviderUnreachable } from '../compute-provider.port';
import { exchange, type HttpAnswer } from './bounded-exchange';
import type { FormBody } from './multipart';
import { AnswerTooLong, TransportError } from './transport-error';

const CONNECT_TIMEOUT_MS = 5_000;
/** Besides those that wait for work: looks, cancels and downloads must not queue behind it. */
const CONTROL_CONNECTIONS = 8;

export interface InstanceRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** A path behind the instance's URL, or a whole URL of its origin, as some backends name them. */
  to: string;
  headers?: Record<string, string>;
  json?: unknown;
  form?: FormBody;
  timeoutMs: number;
  maxAnswerBytes: number;
  signal?: AbortSignal;
  /** Called right before the first byte leaves. */
  onSent?: () => void;
}

export interface FileBounds {
  timeoutMs: number;
  maxBytes: number;
}

export interface ConnectionSettings {
  /** May have a path, which stands before every request's. */
  url: string;
  /** Sent to the origin of the URL, and nowhere else. */
  headers: Record<string, string>;
  /** Requests that may be open for as long as the work lasts. */
  concurrency: number;
  egress: Egress;
}

/** HTTP to one instance: bounded in time and size, its credentials for its origin only, redirects never followed with them. */
export class InstanceConnection {
  private readonly base: URL;
  private readonly pool: Pool;
  /** With the host and not the path, in which some backends want a secret. */
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

  /** @throws TransportError when there is no whole answer; any status is one. */
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
   * Gets a file from where the backend says it is: a path, or a URL. Other origins than the instance's are reached through
   * egress and never see its headers. One redirect is followed, which is how some backends hand over their storage.
   * @throws ProviderUnreachable when it cannot be had now, InvalidUpstreamOutput when it never can.
   */
  async fetchFile(to: string, bounds: FileBounds): Promise<Buffer> {
    const url = this.findOwnUrl(to);
    if (url === null) return this.fetchElsewhere(to, bounds);
    const answer = await this.getFile(to, bounds);
    const target = findRedirect(answer, url);
    if (target === null) return toOwnFile(answer);
    return this.owns(target) ? toOwnFile(await this.getFile(target, bounds)) : this.fetchElsewhere(target, bounds);
  }

  /** Whether a URL that an answer names belongs to the instance, so that credentials may go there. */
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
        // What comes packed would have to be bounded twice: as it arrives, and as what it becomes.
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
      throw new ProviderUnreachable('The backend did not hand over an output.', { cause: error });
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
    if (bodyEnd !== 'complete') throw new ProviderUnreachable('The storage broke off in an output.');
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

/** Where the instance's own key is not taken, the operator can mend it, and the output is still there. */
function toOwnFile({ status, body }: HttpAnswer): Buffer {
  if ([401, 402, 403].includes(status))
    throw new ProviderUnreachable(`The backend refuses an output with ${status}: check the instance's key.`);
  return toFile(status, body);
}

/** An address that is gone or forbidden stays so: links of backends end with their time. */
function toFile(status: number, body: Buffer): Buffer {
  if (status === 200) return body;
  if (status >= 300 && status < 500 && ![408, 425, 429].includes(status))
    throw new InvalidUpstreamOutput(`An output was answered with ${status}.`);
  throw new ProviderUnreachable(`An output was answered with ${status}.`);
}
