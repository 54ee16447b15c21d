import { ApiError, type ErrorType } from '@kinora/contracts/shared/errors';

/**
 * A command line without a known command, or with an argument missing. `explanation` is for people and may be a whole
 * help text.
 */
export class UsageError extends ApiError {
  constructor(readonly explanation: string) {
    const [, complaint] = /^error: (.*)/.exec(explanation) ?? [];
    // The parser's messages name the wrong part in one format: option '--name <name>', argument 'status'.
    const [, param] = /(?:option|argument) '([\w-]+)/.exec(complaint ?? '') ?? [];
    const details = param === undefined ? {} : { param };
    super('invalid_body', complaint ?? 'A command is missing; --help lists them.', details);
  }
}

/** The envelope of every error (API: ErrorEnvelope). */
export interface ErrorEnvelope {
  error: { type: ErrorType; code: string; message: string; param?: string; request_id: string };
}

export function toErrorEnvelope({ type, code, message, param }: ApiError, requestId: string): ErrorEnvelope {
  return { error: { type, code, message, ...(param === undefined ? {} : { param }), request_id: requestId } };
}

/** The same as text. */
export function explainError(error: ApiError, requestId: string): string {
  return error instanceof UsageError ? error.explanation : `error: ${error.message} (${error.code}, ${requestId})`;
}

/** An unexpected error is shown with its stack: the command is run by an operator of the service. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('internal_error', error instanceof Error ? (error.stack ?? error.message) : String(error));
}
