/** Interface, "Types and HTTP status". */
export const HTTP_STATUS_BY_TYPE = {
  invalid_request_error: 400,
  authentication_error: 401,
  insufficient_balance: 402,
  permission_error: 403,
  not_found: 404,
  idempotency_conflict: 409,
  content_blocked: 422,
  rate_limit_error: 429,
  api_error: 500,
  capacity_error: 503,
} as const;

export type ErrorType = keyof typeof HTTP_STATUS_BY_TYPE;

/** Interface, "Codes", and the codes that the decisions add. A code belongs to exactly one type, save model_unavailable: see ErrorDetails. */
export const TYPE_BY_CODE = {
  invalid_body: 'invalid_request_error',
  invalid_json: 'invalid_request_error',
  invalid_content_type: 'invalid_request_error',
  invalid_query: 'invalid_request_error',
  invalid_idempotency_key: 'invalid_request_error',
  invalid_api_key: 'authentication_error',
  insufficient_balance: 'insufficient_balance',
  key_budget_exceeded: 'insufficient_balance',
  account_paused: 'permission_error',
  account_suspended: 'permission_error',
  account_closed: 'permission_error',
  model_not_allowed: 'permission_error',
  not_found: 'not_found',
  model_unavailable: 'not_found',
  idempotency_conflict: 'idempotency_conflict',
  content_blocked_prompt: 'content_blocked',
  content_blocked_input: 'content_blocked',
  rate_limited: 'rate_limit_error',
  concurrency_limit: 'rate_limit_error',
  capacity: 'capacity_error',
  internal_error: 'api_error',
} as const satisfies Record<string, ErrorType>;

export type ErrorCode = keyof typeof TYPE_BY_CODE;

/** Why a job failed: interface, Job.error, with the codes that the decisions list. */
export const JOB_ERROR_CODES = [
  'provider_error',
  'provider_timeout',
  'capacity',
  'invalid_output',
  'storage_error',
  'content_blocked_output',
  'content_blocked_input',
] as const;

export type JobErrorCode = (typeof JOB_ERROR_CODES)[number];

export interface ErrorDetails {
  /** The offending request parameter with its path, for example `loras[1].url`. */
  param?: string;
  /** Whole seconds, at least 1; 429 and 503 always carry one. */
  retry_after_seconds?: number;
  /** Only where it is not the code's own in the table: `GET /loras?model=`, to which an unavailable model is a wrong parameter. */
  type?: ErrorType;
}

/** How an error travels between services. */
export interface ErrorPayload extends ErrorDetails {
  code: ErrorCode;
  message: string;
}

/** The one error that may reach a client: what is thrown in a service arrives unchanged at the outer caller. */
export class ApiError extends Error {
  readonly type: ErrorType;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.type = details.type ?? TYPE_BY_CODE[code];
    this.param = details.param;
    this.retryAfterSeconds = details.retry_after_seconds ?? defaultRetryAfterSeconds(this.type);
  }

  get status(): number {
    return HTTP_STATUS_BY_TYPE[this.type];
  }

  toPayload(): ErrorPayload {
    return {
      code: this.code,
      message: this.message,
      ...(this.type === TYPE_BY_CODE[this.code] ? {} : { type: this.type }),
      ...(this.param === undefined ? {} : { param: this.param }),
      ...(this.retryAfterSeconds === undefined ? {} : { retry_after_seconds: this.retryAfterSeconds }),
    };
  }

  static fromPayload(payload: ErrorPayload): ApiError {
    return new ApiError(payload.code, payload.message, payload);
  }

  /** A dependency that is down is 503, never a 500 and never a hung request (decisions, "Errors without a listed code"). */
  static unavailable(what: string): ApiError {
    return new ApiError('capacity', `${what} is not available right now. Please retry.`);
  }

  static internal(): ApiError {
    return new ApiError('internal_error', 'An unexpected error occurred.');
  }
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(TYPE_BY_CODE, code);
}

function defaultRetryAfterSeconds(type: ErrorType): number | undefined {
  return type === 'rate_limit_error' || type === 'capacity_error' ? 1 : undefined;
}
