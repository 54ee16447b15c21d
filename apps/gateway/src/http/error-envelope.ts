import type { ApiError, ErrorCode, ErrorType } from '@kinora/contracts/shared/errors';

/** Interface, "Errors": what every response that is no success carries. */
export interface ErrorEnvelope {
  error: { type: ErrorType; code: ErrorCode; message: string; param?: string; request_id: string };
}

export function toEnvelope({ type, code, message, param }: ApiError, requestId: string): ErrorEnvelope {
  return { error: { type, code, message, ...(param === undefined ? {} : { param }), request_id: requestId } };
}
