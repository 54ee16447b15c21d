import { type Dispatcher, Pool } from 'undici';
import type { SubmitOutcome } from './compute-provider.port';
import type { InstanceSettings } from './provider-type';

const CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 5_000;
/** An answer that is no file: a status of some hundred tasks is smaller. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** A backend that asks for more patience than this is asked again all the same. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** Failures of which the operating system, or the handshake, says that no byte of the request has arrived. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS_CERT|SELF_SIGNED|UNABLE_TO_)/;

export interface BackendRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the instance's url, with its query. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** For everything together. */
  timeoutMs: number;
  /** Of the answer's body; more is an error. */
  maxBytes?: number;
  signal?: AbortSignal;
}

export interface BackendAnswer {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  body: Buffer;
}

/** There was no whole answer. */
export class NoAnswer extends Error {
  constructor(
    /** `never_sent`: the backend has heard nothing. `lost`: it may have. `too_long`: it said more than anybody may. */
    readonly reason: 'never_sent' | 'lost' | 'too_long',
    cause?: unknown,
  ) {
    super(`The backend gave no answer: ${reason}`, { cause });
  }
}

/** Speaks to one instance, and to nothing else: its secrets go with every request, and redirects are answers. */
export class BackendClient {
  private readonly pool: Pool;
  private readonly basePath: string;

  constructor(private readonly instance: Pick<InstanceSettings, 'url' | 'headers'>) {
    const { origin, pathname } = new URL(instance.url);
    this.basePath = pathname.replace(/\/$/, '');
    // Each request has a time limit of its own, which may be as long as the work of a synchronous backend.
    const limits = { connect: { timeout: CONNECT_TIMEOUT_MS }, headersTimeout: 0, bodyTimeout: 0 };
    this.pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1, ...limits });
  }

  /** @throws NoAnswer */
  async send(request: BackendRequest): Promise<BackendAnswer> {
    const { method, path, headers = {}, body = null, timeoutMs, maxBytes = MAX_ANSWER_BYTES } = request;
    if (request.signal?.aborted) throw new NoAnswer('never_sent');
    const limits = [AbortSignal.timeout(timeoutMs), ...(request.signal ? [request.signal] : [])];
    try {
      const response = await this.pool.request({
        method,
        path: this.basePath + path,
        headers: { ...headers, ...this.instance.headers },
        body,
        signal: AbortSignal.any(limits),
      });
      return { status: response.statusCode, headers: response.headers, body: await readBody(response.body, maxBytes) };
    } catch (error) {
      if (error instanceof NoAnswer) throw error;
      throw new NoAnswer(NEVER_SENT.test((error as NodeJS.ErrnoException).code ?? '') ? 'never_sent' : 'lost', error);
    }
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}

/** What a submission without an answer comes to. */
export function outcomeOfSilence(error: unknown): SubmitOutcome {
  const isProvenUnsent = error instanceof NoAnswer && error.reason === 'never_sent';
  return isProvenUnsent ? { kind: 'refused', retryAfterMs: null } : { kind: 'unknown' };
}

/** Undefined for what is no JSON. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** How long the backend asks us to wait; null where it does not say. A date counts from the backend's own clock. */
export function retryAfterMs(headers: BackendAnswer['headers']): number | null {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return null;
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - backendTime(headers);
  return Number.isFinite(waitMs) ? Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS) : null;
}

function backendTime({ date }: BackendAnswer['headers']): number {
  return typeof date === 'string' ? Date.parse(date) : Date.now();
}

async function readBody(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) throw new NoAnswer('too_long');
  }
  return Buffer.concat(chunks);
}
