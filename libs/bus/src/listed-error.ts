import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { BusLogger } from './bus-logger';

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
