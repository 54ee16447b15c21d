import { ApiError } from '../shared/errors';

/** Why a creation would be refused: the error that it would answer. */
export interface Refusal {
  /** As in the errors of the creation. */
  code: string;
  /** The offending field of the request, or null. */
  param: string | null;
  message: string;
}

/** The refusal that an error of a check means. Any other error is no finding about the request, and is thrown again. */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof ApiError) || error.code === 'internal_error') throw error;
  const { code, param = null, message } = error;
  return { code, param, message };
}
