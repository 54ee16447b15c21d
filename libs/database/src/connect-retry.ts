import type { TypeOrmModuleOptions } from '@nestjs/typeorm';
import { isConnectionLost } from './database-error';

/** A server that starts together with the service, or one too busy to accept in time, does not end the service. */
const CONNECT_WITHIN_MS = 15_000;
const RETRY_MS = 250;

/** How often Nest tries to connect at boot. A refused login fails at once, because waiting would not mend it. */
export function connectRetry(): Pick<TypeOrmModuleOptions, 'retryAttempts' | 'retryDelay' | 'toRetry'> {
  const giveUpAtMs = performance.now() + CONNECT_WITHIN_MS;
  return {
    // Bounded by time, because a try takes from nothing to the connect timeout.
    retryAttempts: Number.POSITIVE_INFINITY,
    retryDelay: RETRY_MS,
    toRetry: (error) => isConnectionLost(error) && performance.now() <= giveUpAtMs,
  };
}
