import type { Job } from './resources';

export interface ErrorFacts {
  status?: number | null | undefined;
  type?: string | null | undefined;
  code?: string | null | undefined;
  param?: string | null | undefined;
  requestId?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
  retryAfterSeconds?: number | null | undefined;
  cause?: unknown;
}

/** Every error of this client. Branch on the class and on `code`, never on `message`. */
export class KinoraError extends Error {
  /** The HTTP status; null where no answer arrived. */
  readonly status: number | null;
  readonly type: string | null;
  readonly code: string | null;
  /** The wrong field of the request. */
  readonly param: string | null;
  /** Quote it to the operator of the service. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** The key of the creation: the same call with the same key continues it and is not billed twice. */
  idempotencyKey: string | null;

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = facts.status ?? null;
    this.type = facts.type ?? null;
    this.code = facts.code ?? null;
    this.param = facts.param ?? null;
    this.requestId = facts.requestId ?? null;
    this.idempotencyKey = facts.idempotencyKey ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }
}

export class InvalidRequestError extends KinoraError {
  declare readonly name: 'InvalidRequestError';
  /** Why an image source was refused before the request was sent; null otherwise. */
  readonly problem: string | null;
  constructor(message: string, facts: ErrorFacts & { problem?: string } = {}) {
    super(message, facts);
    this.problem = facts.problem ?? null;
  }
}
export class AuthenticationError extends KinoraError {
  declare readonly name: 'AuthenticationError';
}
export class InsufficientBalanceError extends KinoraError {
  declare readonly name: 'InsufficientBalanceError';
}
export class PermissionDeniedError extends KinoraError {
  declare readonly name: 'PermissionDeniedError';
}
export class NotFoundError extends KinoraError {
  declare readonly name: 'NotFoundError';
}
export class IdempotencyConflictError extends KinoraError {
  declare readonly name: 'IdempotencyConflictError';
}
export class ContentBlockedError extends KinoraError {
  declare readonly name: 'ContentBlockedError';
}
export class RateLimitError extends KinoraError {
  declare readonly name: 'RateLimitError';
}
export class CapacityError extends KinoraError {
  declare readonly name: 'CapacityError';
}
export class APIError extends KinoraError {
  declare readonly name: 'APIError';
}
/** No complete answer: `code` is `connection`, `timeout`, `truncated` or `aborted`. */
export class ConnectionError extends KinoraError {
  declare readonly name: 'ConnectionError';
}
export class WebhookVerificationError extends KinoraError {
  declare readonly name: 'WebhookVerificationError';
}

/** The job has ended without a result; nothing is charged. `code` is that of the job, or `canceled`. */
export class JobFailedError extends KinoraError {
  declare readonly name: 'JobFailedError';
  constructor(
    readonly job: Job,
    facts: ErrorFacts = {},
  ) {
    const code = job.error?.code ?? job.status;
    super(`Job ${job.id} ${job.status}: ${job.error?.message ?? code}`, { ...facts, type: 'job_failed', code });
  }
}

/**
 * The wait ended before the job: `code` is `timeout`, `aborted` or `unavailable`. The job goes on; `resume()` collects its result,
 * and so does `jobs.wait(jobId)` in another process.
 */
export class JobPendingError<Ended extends Job = Job> extends KinoraError {
  declare readonly name: 'JobPendingError';
  constructor(
    readonly jobId: string,
    private readonly wait: (options: object) => Promise<Ended>,
    facts: ErrorFacts,
  ) {
    super(`The wait for job ${jobId} ended before the job did (${facts.code}). resume() continues it.`, {
      ...facts,
      type: 'job_pending',
    });
    // Not enumerable, so that a log of the error does not print a function.
    Object.defineProperty(this, 'wait', { enumerable: false });
  }
  /** Waits again, with the options of the first wait unless others are given, but never with its signal. */
  resume(options: object = {}): Promise<Ended> {
    return this.wait(options);
  }
}

const CLASSES = {
  KinoraError,
  InvalidRequestError,
  AuthenticationError,
  InsufficientBalanceError,
  PermissionDeniedError,
  NotFoundError,
  IdempotencyConflictError,
  ContentBlockedError,
  RateLimitError,
  CapacityError,
  APIError,
  ConnectionError,
  WebhookVerificationError,
  JobFailedError,
  JobPendingError,
};
// Written out, because a minifier renames classes; on the prototype, so that a printed error does not repeat it.
for (const [name, { prototype }] of Object.entries(CLASSES)) Object.defineProperty(prototype, 'name', { value: name });

type AnswerError = new (message: string, facts: ErrorFacts) => KinoraError;

const BY_TYPE: Record<string, AnswerError> = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  insufficient_balance: InsufficientBalanceError,
  permission_error: PermissionDeniedError,
  not_found: NotFoundError,
  idempotency_conflict: IdempotencyConflictError,
  content_blocked: ContentBlockedError,
  rate_limit_error: RateLimitError,
  capacity_error: CapacityError,
  api_error: APIError,
};
const BY_STATUS: Record<number, AnswerError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: InsufficientBalanceError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: IdempotencyConflictError,
  422: ContentBlockedError,
  429: RateLimitError,
  503: CapacityError,
};

/** The error of an answer: by the type of its envelope, and where it has none, by its status. */
export function errorOfAnswer(
  status: number,
  headers: Headers,
  body: string,
  { hint = '', ...facts }: ErrorFacts & { hint?: string } = {},
): KinoraError {
  const { type, code, message, param, request_id } = readEnvelope(body);
  const Class = BY_TYPE[type ?? ''] ?? BY_STATUS[status] ?? APIError;
  return new Class(message ?? foreignAnswer(status, headers, hint), {
    ...facts,
    status,
    type,
    code,
    param,
    requestId: request_id ?? headers.get('x-request-id'),
    retryAfterSeconds: retryAfterSeconds(headers),
  });
}

/** What the answer of another server means, most often behind a wrong address. */
function foreignAnswer(status: number, headers: Headers, hint: string): string {
  // Without path and query, which may hold a secret.
  const target = /^https?:\/\/[^/?#]+/i.exec(headers.get('location') ?? '')?.[0];
  if (status >= 300 && status < 400)
    return `The server redirects${target ? ` to ${target}` : ''}, which is not followed: correct baseURL.`;
  return `The server answered ${status}, and not in the format of Kinora.${hint}`;
}

function readEnvelope(body: string): Record<string, string | undefined> {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === 'object' && error !== null ? (error as Record<string, string>) : {};
  } catch {
    return {};
  }
}

/** The value of `Retry-After` in seconds, whether it is a number or a date; null without a usable one. */
export function retryAfterSeconds(headers: Headers, nowMs = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  const at = /^[A-Za-z]{3}, /.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, (at - nowMs) / 1_000);
}
