import { DatabaseError } from 'pg';
import { ApiError } from '@kinora/contracts/shared/errors';

/** Classes and codes of SQLSTATE for temporary failures: connection, refused login, shutdown, resources, lock and time limits. */
const UNAVAILABLE = /^(08|28|53|57|58|25P03|55P03|XX000)/;
/** Of a check, which names its constraint, and of a row without a partition, which names none. */
const CHECK_VIOLATION = '23514';
const DEADLOCK_OR_SERIALIZATION = new Set(['40P01', '40001']);

const CONNECTION_FAILURE =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;

/**
 * After these the connection is useless: connection failures (08), a server that ends or starts (57P), a refused connection
 * (53300), and a server that only reads (25006).
 */
const CONNECTION_LOST = /^(08|57P|53300|25006)/;
const READ_ONLY = '25006';
/** Of an unlogged table at a standby, to which a pooler may lead any statement. It has the code of features that do not exist. */
const NEEDS_PRIMARY = /during recovery$/;

/** The connection leads to a standby, or to a server that refuses writes (`default_transaction_read_only`). */
export class ReadOnlyServerError extends Error {
  constructor() {
    super('The database server is read-only: it is a standby, or default_transaction_read_only is on.');
  }
}

/** The name of the constraint that a row violated, or null for any other failure. */
export function violatedConstraint(error: unknown): string | null {
  return error instanceof DatabaseError && error.code?.startsWith('23') === true ? (error.constraint ?? '') : null;
}

/** The partitioned table that has no partition for a row, or null for any other failure. */
export function tableWithoutPartition(error: unknown): string | null {
  const isMissing = error instanceof DatabaseError && error.code === CHECK_VIOLATION && error.constraint === undefined;
  return isMissing ? (error.table ?? null) : null;
}

/**
 * Whether PostgreSQL rolled the transaction back because of a concurrent one (deadlock, serialization), so that it may run
 * again.
 */
export function isSerializationFailure(error: unknown): boolean {
  return error instanceof DatabaseError && DEADLOCK_OR_SERIALIZATION.has(error.code ?? '');
}

export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseError) return CONNECTION_LOST.test(error.code ?? '');
  if (error instanceof ReadOnlyServerError) return true;
  return (
    error instanceof Error && CONNECTION_FAILURE.test(`${(error as NodeJS.ErrnoException).code ?? ''} ${error.message}`)
  );
}

/** Whether the server refused to write. Its other connections would refuse as well. */
export function isReadOnlyRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === READ_ONLY;
}

/** A database that is down or overloaded becomes 503 for the caller; every other error passes unchanged. */
export function toPublicError(error: unknown): unknown {
  const unavailable =
    isConnectionLost(error) ||
    (error instanceof DatabaseError && (UNAVAILABLE.test(error.code ?? '') || NEEDS_PRIMARY.test(error.message)));
  return unavailable ? ApiError.unavailable('The database') : error;
}
