import { ErrorCode as NatsErrorCode, NatsError } from 'nats';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { BusLogger } from './bus-logger';
import type { Reply } from './envelope';

/** A reply that cannot be encoded as JSON, or that the broker cannot carry. */
export interface UnsentReply {
  subject: string;
  /** Size of the message; unknown if it could not be encoded. */
  bytes: number | undefined;
  /** The broker's `max_payload`. */
  maxBytes: number | undefined;
  error: unknown;
}

/** Whether a message is larger than the broker's `max_payload`. The client refuses such a message before sending. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof NatsError && error.code === NatsErrorCode.MaxPayloadExceeded;
}

/** Logs why a reply could not be sent, and returns the error that is sent instead. */
export function replaceUnsent({ subject, bytes, maxBytes, error }: UnsentReply, log: BusLogger): Reply {
  if (!isTooLarge(error)) {
    log.error({ subject, reason: String(error) }, 'bus_reply_failed');
    return { error: ApiError.internal().toPayload() };
  }
  log.error({ subject, bytes, max_bytes: maxBytes }, 'bus_reply_too_large');
  const message = 'The answer is too large to be sent. Please ask for less at once.';
  return { error: new ApiError('internal_error', message).toPayload() };
}

/**
 * The error that crosses the hop: one that the contract lists, or a generic one without details. The reason of any other error
 * stays in the log of this service.
 */
export function toListedError(
  { subject, errors }: RpcContract<never, unknown>,
  error: unknown,
  duration_ms: number,
  log: BusLogger,
): ApiError {
  if (error instanceof ApiError && errors.includes(error.code)) {
    log.info({ subject, code: error.code, duration_ms }, 'bus_request_refused');
    return error;
  }
  const stack = error instanceof Error ? error.stack : String(error);
  log.error({ subject, stack, duration_ms }, 'bus_handler_failed');
  return ApiError.internal();
}
