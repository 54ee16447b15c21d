/** The HTTP status of each type (decisions: Error codes). */
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

/**
 * The type of each code, with the description that the API reference shows. A code belongs to one type (decisions: Error codes);
 * for model_unavailable see ErrorDetails.
 */
export const TYPE_BY_CODE = {
  /** A field of the body is wrong, or the body is no object or too large. */
  invalid_body: 'invalid_request_error',
  /** The body is not JSON in UTF-8, or empty. */
  invalid_json: 'invalid_request_error',
  /** The content type is not one that the operation takes, which is `application/json` unless it names another one. */
  invalid_content_type: 'invalid_request_error',
  /** A query parameter is wrong or unknown. */
  invalid_query: 'invalid_request_error',
  /** The job is in flight. Wait for its end, or cancel it first. */
  job_in_flight: 'invalid_request_error',
  /** The Idempotency-Key is not 1 to 255 visible ASCII characters. */
  invalid_idempotency_key: 'invalid_request_error',
  /** The quote is for another operation, or the request has another price than the quoted one. */
  quote_mismatch: 'invalid_request_error',
  /** The quote has expired, or is unknown. */
  quote_expired: 'invalid_request_error',
  /** The API key is missing or not recognised. */
  invalid_api_key: 'authentication_error',
  /** The balance cannot cover the price of the job. */
  insufficient_balance: 'insufficient_balance',
  /** The API key has a budget of its own, which cannot cover the price of the job. */
  key_budget_exceeded: 'insufficient_balance',
  /** The account is paused and cannot create jobs. */
  account_paused: 'permission_error',
  /** The account is suspended and cannot create jobs. */
  account_suspended: 'permission_error',
  /** The account is closed and cannot create jobs. */
  account_closed: 'permission_error',
  /** The account has as many API keys as it may have. */
  too_many_keys: 'invalid_request_error',
  /** Without this API key, no key with the scope `account` would be valid for as long. Create another one first. */
  last_account_key: 'invalid_request_error',
  /** The API key's scope does not include this operation. */
  scope_required: 'permission_error',
  /** The new key would exceed the key that creates it: in its models, its budget or its expiry. */
  exceeds_key: 'permission_error',
  /** The API key may not use this model. */
  model_not_allowed: 'permission_error',
  /** The job or endpoint does not exist. */
  not_found: 'not_found',
  /** The model is unknown, disabled, or does not support this operation. */
  model_unavailable: 'not_found',
  /** The Idempotency-Key was used with another body or for another operation. */
  idempotency_conflict: 'idempotency_conflict',
  /** The prompt or negative prompt violates the content policy. */
  content_blocked_prompt: 'content_blocked',
  /** An input image violates the content policy. */
  content_blocked_input: 'content_blocked',
  /** Too many requests. */
  rate_limited: 'rate_limit_error',
  /** Too many jobs of the account are in flight. */
  concurrency_limit: 'rate_limit_error',
  /** There is no capacity right now, or a required component does not answer. */
  capacity: 'capacity_error',
  /** An unexpected error of the service. */
  internal_error: 'api_error',
} as const satisfies Record<string, ErrorType>;

export type ErrorCode = keyof typeof TYPE_BY_CODE;

/** Why a job failed (decisions: Job errors). */
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
  /**
   * Set only if it differs from the type of the code in the table: for `GET /loras?model=` an unavailable model is an invalid
   * parameter.
   */
  type?: ErrorType;
}

/** The JSON form of an error between services. */
export interface ErrorPayload extends ErrorDetails {
  code: ErrorCode;
  message: string;
}

/** The one error that may reach a client: an error thrown in a service reaches the outermost caller unchanged. */
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

  /** A dependency that is down is 503, never a 500 and never a hanging request (decisions: Error codes). */
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
