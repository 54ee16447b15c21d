import type { ApiError } from '@kinora/contracts/shared/errors';
import type { ConsoleError } from './console-error';

/** The body of every error response, in the gateway's form. */
export function toEnvelope({ type, code, message, param }: ApiError | ConsoleError, requestId: string): object {
  return { error: { type, code, message, ...(param !== undefined && { param }), request_id: requestId } };
}
