import type { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyRequest } from 'fastify';

/** An error response. */
export interface ErrorAnswer {
  status: number;
  /** For the log and the metrics. */
  code: string;
  headers: Record<string, string>;
  body: object;
}

/** An error that has its response already. */
export abstract class AnsweredError extends Error {
  abstract get answer(): ErrorAnswer;
}

/** The form of errors on paths that do not use the envelope. */
export abstract class OtherErrorForm {
  /** Null on all other paths. */
  abstract toAnswer(error: ApiError, request: FastifyRequest): ErrorAnswer | null;
}
