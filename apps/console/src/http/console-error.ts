import { ApiError, type ErrorType, HTTP_STATUS_BY_TYPE } from '@kinora/contracts/shared/errors';

/** The errors that only the console answers, beside those of the API. */
const TYPE_BY_CODE = {
  /** There is no session, or it has ended. */
  not_signed_in: 'authentication_error',
  /** The sign-in was refused. The answer is the same for every reason. */
  sign_in_refused: 'authentication_error',
  /** The request came from a page of another origin, or carries no token of its session. */
  cross_site: 'permission_error',
  /** The session may not do this. */
  capability_required: 'permission_error',
  /** The password must be repeated first. */
  confirmation_required: 'permission_error',
  /** The role of the operator does not include this. */
  role_required: 'permission_error',
} as const satisfies Record<string, ErrorType>;

export type ConsoleErrorCode = keyof typeof TYPE_BY_CODE;

/** An error of the console itself, in the form of the API's errors. */
export class ConsoleError extends Error {
  readonly type: ErrorType;

  constructor(
    readonly code: ConsoleErrorCode,
    message: string,
    readonly param?: string,
  ) {
    super(message);
    this.name = 'ConsoleError';
    this.type = TYPE_BY_CODE[code];
  }

  get status(): number {
    return HTTP_STATUS_BY_TYPE[this.type];
  }
}

/** The error of a path that does not exist, and of one that the session may not know about. */
export function notFound(): ApiError {
  return new ApiError('not_found', 'There is no such endpoint.');
}

/** The body of every error response, in the gateway's form. */
export function toEnvelope({ type, code, message, param }: ApiError | ConsoleError, requestId: string): object {
  return { error: { type, code, message, ...(param !== undefined && { param }), request_id: requestId } };
}
