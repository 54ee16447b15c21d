import { AttemptSignal } from './attempt-signal';
import type { ClientSettings } from './client-settings.config';
import { ConnectionError, InvalidRequestError, KinoraError, errorOfAnswer } from './errors';
import { delay, isBrowser } from './platform';
import { type Outcome, retryDelaySeconds } from './retry-delay';

export const VERSION = '0.1.0';

/** The options of every call. */
export interface CallOptions {
  /** Of a creation; without one each call gets a new key. */
  idempotencyKey?: string | undefined;
  /** Milliseconds of an attempt; where the call waits for a job, of the wait. */
  timeout?: number | undefined;
  maxRetries?: number | undefined;
  signal?: AbortSignal | null | undefined;
  headers?: Record<string, string> | undefined;
  /** Receives the response of every attempt, for its status and headers. */
  onResponse?: ((response: Response) => void) | undefined;
}

export interface Operation {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Instead of the path below the base URL; gets no key, because another server of the host may answer. */
  publicURL?: string;
  query?: object | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  idempotencyKey?: string;
  /** False where a second run would take effect again. */
  repeatable?: boolean;
}

/** Why an attempt failed, with the outcome that decides about its repeat. */
export class FailedAttempt extends Error {
  constructor(
    readonly error: Error,
    readonly outcome: Outcome,
  ) {
    super(error.message);
  }
}

/** Sends requests and repeats failed ones. */
export class Transport {
  constructor(readonly settings: ClientSettings) {
    // A client that is printed or serialised must not show its key.
    Object.defineProperty(this, 'settings', { enumerable: false });
  }

  /** The JSON of a successful answer; null of an empty one. */
  async request<Answer>(operation: Operation, options: CallOptions = {}): Promise<Answer> {
    return (await this.exchange<Answer>(operation, options)).body;
  }

  async exchange<Answer>(operation: Operation, options: CallOptions = {}): Promise<{ body: Answer; headers: Headers }> {
    return await this.repeat(operation, options, async (attempt) => {
      const response = await this.fetch(operation, options, attempt);
      const { status, headers } = response;
      const text = await response.text();
      return { body: (status === 204 ? null : parse(text, headers)) as Answer, headers };
    });
  }

  /** One attempt after the other, until `read` succeeds with a response or the failure is final. */
  async repeat<Answer>(
    operation: Operation,
    options: CallOptions,
    read: (attempt: AttemptSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const { settings } = this;
    const maxRetries = options.maxRetries ?? settings.maxRetries;
    for (let attempt = 0; ; attempt++) {
      const startedAt = Date.now();
      const signal = new AttemptSignal(options.timeout ?? settings.timeoutMs, options.signal);
      try {
        return await read(signal);
      } catch (failure) {
        const { error, outcome } = this.failed(failure, signal, operation);
        const seconds = retryDelaySeconds(outcome, { attempt, repeatable: operation.repeatable !== false });
        const reason = 'status' in outcome ? outcome.status : outcome.failure;
        const line = `${describe(operation)} ${reason} after ${Date.now() - startedAt} ms`;
        const isLast = seconds === null || attempt >= maxRetries;
        settings.logger?.warn(isLast ? line : `${line}, again in ${seconds.toFixed(2)} s`);
        if (isLast) throw error;
        await this.pause(seconds * 1_000, operation, options.signal);
      } finally {
        signal.release();
      }
    }
  }

  /** The successful response of one attempt, with an unread body. */
  async fetch(operation: Operation, options: CallOptions, attempt: AttemptSignal): Promise<Response> {
    const { settings } = this;
    const { body, idempotencyKey, publicURL } = operation;
    const startedAt = Date.now();
    const url = publicURL ?? `${settings.baseURL}${operation.path}${toQuery(operation.query)}`;
    const response = await settings.fetch(url, {
      method: operation.method,
      headers: {
        accept: 'application/json',
        ...(isBrowser() ? {} : { 'user-agent': `kinora-typescript/${VERSION}` }),
        ...(settings.apiKey !== null && publicURL === undefined && { authorization: `Bearer ${settings.apiKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...settings.headers,
        ...operation.headers,
        ...options.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // A redirect could carry the key to another host.
      redirect: 'manual',
      signal: attempt.signal,
    });
    options.onResponse?.(response);
    const id = response.headers.get('x-request-id') ?? 'no request id';
    settings.logger?.debug(`${describe(operation)} ${response.status} in ${Date.now() - startedAt} ms (${id})`);
    if (response.ok) return response;
    // Whether the rest of the body arrives does not change what the status says.
    const text = await response.text().catch(() => '');
    const { status, headers } = response;
    const hint = status === 404 ? ' baseURL ends in /v1.' : '';
    throw new FailedAttempt(errorOfAnswer(status, headers, text, { idempotencyKey, hint }), { status, headers });
  }

  /** @throws ConnectionError `aborted` if the signal fires before the time is over */
  pause(ms: number, operation: Operation, signal: CallOptions['signal']): Promise<void> {
    return delay(ms, signal).catch((reason: unknown) => {
      throw aborted(operation, reason);
    });
  }

  private failed(failure: unknown, attempt: AttemptSignal, operation: Operation): FailedAttempt {
    if (failure instanceof FailedAttempt) return failure;
    if (attempt.isAborted) return new FailedAttempt(aborted(operation, failure), { failure: 'aborted' });
    if (isLocal(failure)) return new FailedAttempt(failure, { failure: 'local' });
    const code = attempt.isTimedOut ? 'timeout' : isTruncated(failure) ? 'truncated' : 'connection';
    const message = `${describe(operation)} got no complete answer: ${explain(failure)}`;
    const facts = { code, idempotencyKey: operation.idempotencyKey, cause: failure };
    return new FailedAttempt(new ConnectionError(message, facts), { failure: code });
  }
}

/** A failure of this machine, such as a full disk, which another attempt does not change. */
function isLocal(failure: unknown): failure is Error {
  if (failure instanceof KinoraError) return !(failure instanceof ConnectionError);
  return failure instanceof Error && 'syscall' in failure;
}

/** JSON that cannot be read was cut short, or is no answer of the service. */
function isTruncated(failure: unknown): boolean {
  if (failure instanceof ConnectionError) return failure.code === 'truncated';
  // How `fetch` reports a connection that broke within a body.
  return failure instanceof SyntaxError || /terminated|premature|aborted/i.test(String(failure));
}

/** @throws SyntaxError for what was cut short, or is no answer of the service */
function parse(text: string, headers: Headers): unknown {
  const type = headers.get('content-type');
  if (type !== null && !/\bjson\b/i.test(type))
    throw new SyntaxError(`the answer is ${type} and no JSON. baseURL ends in /v1.`);
  return JSON.parse(text);
}

/** An id as a part of a path. @throws InvalidRequestError for none, because the path without it is another operation */
export function segment(id: string): string {
  if (typeof id === 'string' && id !== '') return encodeURIComponent(id);
  throw new InvalidRequestError('The id is missing.', {
    type: 'invalid_request_error',
    code: 'invalid_id',
    param: 'id',
  });
}

function aborted({ idempotencyKey, ...operation }: Operation, cause: unknown): ConnectionError {
  return new ConnectionError(`${describe(operation)} was aborted.`, { code: 'aborted', idempotencyKey, cause });
}

/** Without the query, which may carry a link or a secret of the caller. */
function describe({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function explain(failure: unknown): string {
  const cause = failure instanceof Error ? failure.cause : undefined;
  const { message } = (cause instanceof Error && cause.message ? cause : failure) as { message?: string };
  return message ?? String(failure);
}

/** Names are those of the API: `groupBy` is sent as `group_by`. */
function toQuery(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, string | number | null | undefined][])
    if (value !== undefined && value !== null)
      parameters.set(
        name.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`),
        String(value),
      );
  const text = parameters.toString();
  return text && `?${text}`;
}
