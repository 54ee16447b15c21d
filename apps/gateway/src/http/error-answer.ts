import type { FastifyRequest } from 'fastify';
import { ApiError, type ErrorCode, type ErrorType } from '@kinora/contracts/shared/errors';

export interface ErrorAnswer {
  status: number;
  /** For the log and the metrics. */
  code: string;
  headers: Record<string, string>;
  body: object;
}

export abstract class AnsweredError extends Error {
  abstract get answer(): ErrorAnswer;
}

/** The form of errors on paths that do not use the envelope. */
export abstract class OtherErrorForm {
  /** Null on all other paths. */
  abstract toAnswer(error: ApiError, request: FastifyRequest): ErrorAnswer | null;
}

/** The body of every error response. */
export interface ErrorEnvelope {
  error: {
    type: ErrorType;
    code: ErrorCode;
    /** For humans; the wording may change. */
    message: string;
    /** The offending field or parameter with its path, such as `loras[1].url`. */
    param?: string;
    /**
     * The same as the header `X-Request-Id`.
     * @pattern ^req_
     */
    request_id: string;
  };
}

export function toEnvelope({ type, code, message, param }: ApiError, requestId: string): ErrorEnvelope {
  return { error: { type, code, message, ...(param === undefined ? {} : { param }), request_id: requestId } };
}

/** Limits the length of a client's field name in the response. */
const PARAM_MAX_CHARS = 200;

/** The path of a field as the error envelope shows it. */
export function shownParam(path: string): string {
  return path.slice(0, PARAM_MAX_CHARS);
}

export function fieldRefusal(name: string, problem: string): ApiError {
  const param = shownParam(name);
  return new ApiError('invalid_body', `${param} ${problem}.`, { param });
}
