import type { TypeOrmModuleOptions } from '@nestjs/typeorm';
import { isConnectionLost } from './database-error';

/** For this time the service retries a server that starts together with it, or is too busy to accept connections. */
const CONNECT_WITHIN_MS = 15_000;
const RETRY_MS = 250;

/** Number of attempts that Nest makes to connect at boot. A refused login fails at once, because a retry would not succeed. */
export function connectRetry(): Pick<TypeOrmModuleOptions, 'retryAttempts' | 'retryDelay' | 'toRetry'> {
  const giveUpAtMs = performance.now() + CONNECT_WITHIN_MS;
  return {
    // Bounded by time and not by count: an attempt takes any time up to the connect timeout.
    retryAttempts: Number.POSITIVE_INFINITY,
    retryDelay: RETRY_MS,
    toRetry: (error) => isConnectionLost(error) && !isRefusedByPooler(error) && performance.now() <= giveUpAtMs,
  };
}

/** PgBouncer refuses settings that a client sends, and would again. */
function isRefusedByPooler(error: unknown): boolean {
  if (!(error instanceof Error) || !/unsupported startup parameter/.test(error.message)) return false;
  error.message +=
    ': DATABASE_URL leads to PgBouncer, so set DATABASE_POOLER to its pool_mode, session or transaction.';
  return true;
}
