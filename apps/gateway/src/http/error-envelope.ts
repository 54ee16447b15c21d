import type { ApiError, ErrorCode, ErrorType } from '@kinora/contracts/shared/errors';

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
