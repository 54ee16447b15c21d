import { ApiError, type ErrorCode, HTTP_STATUS_BY_TYPE, TYPE_BY_CODE } from '@kinora/contracts/shared/errors';

/** Outcome of a call: `refused` is an error caused by the caller, `failed` is one caused by the service. */
export const CALL_OUTCOMES = ['ok', 'refused', 'failed'] as const;

export type CallOutcome = (typeof CALL_OUTCOMES)[number];

export function outcomeOfCode(code: ErrorCode): CallOutcome {
  return HTTP_STATUS_BY_TYPE[TYPE_BY_CODE[code]] < 500 ? 'refused' : 'failed';
}

export function outcomeOfError(error: unknown): CallOutcome {
  return error instanceof ApiError ? outcomeOfCode(error.code) : 'failed';
}
