import { Injectable } from '@nestjs/common';
import type { DeliveryStatus } from '@kinora/contracts/webhooks/webhooks.rpc';
import { Database, type Statement, statement } from '@kinora/database';
import type { AttemptRow, DeliveryRow, FailingEndpointRow } from './delivery.row';

const COLUMNS = `id, event_id, event_type, account_id, job_id, url, status, attempts, last_response_status, last_error,
                 last_latency_ms, next_attempt_at, redelivery_of, created_at, completed_at`;

/**
 * Builds the statement from the given filters only, so that each combination uses its own index at any table size. The
 * status is a literal, because the partial indexes on exhausted deliveries match only a literal.
 */
function listBy(columns: readonly (keyof DeliveryFilter)[], status: DeliveryStatus | null): Statement {
  const conditions = ['id < $2', ...columns.map((column, place) => `${column} = $${place + 3}`)];
  if (status !== null) conditions.push(`status = '${status}'`);
  return statement(
    ['delivery_list', ...columns, ...(status === null ? [] : [status])].join('_'),
    `SELECT ${COLUMNS} FROM delivery WHERE ${conditions.join(' AND ')}
     ORDER BY id DESC LIMIT $1`,
  );
}

const FIND = statement('delivery_find', `SELECT ${COLUMNS} FROM delivery WHERE id = $1`);

const LIST_ATTEMPTS = statement(
  'attempt_list',
  'SELECT number, response_status, error, latency_ms, ended_at FROM attempt WHERE delivery_id = $1 ORDER BY number',
);

/** Each half uses its own partial index; delivered rows are not read. */
const LIST_FAILING_ENDPOINTS = statement(
  'delivery_list_failing_endpoints',
  `WITH failing AS (
     SELECT * FROM delivery WHERE status = 'pending' AND attempts > 0
     UNION ALL
     SELECT * FROM delivery WHERE status = 'exhausted' AND completed_at >= statement_timestamp() - interval '7 days'
   )
   SELECT account_id, host, count(*) FILTER (WHERE status = 'pending')::integer AS retrying,
          count(*) FILTER (WHERE status = 'exhausted')::integer AS exhausted,
          (array_agg(last_response_status ORDER BY id DESC))[1] AS last_response_status,
          (array_agg(last_error ORDER BY id DESC))[1] AS last_error, min(next_attempt_at) AS next_attempt_at
   FROM failing WHERE $1::uuid IS NULL OR account_id = $1
   GROUP BY account_id, host ORDER BY count(*) DESC, host, account_id OFFSET $2 LIMIT $3`,
);

/** Sorts after every delivery id. */
const AFTER_ALL_IDS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface DeliveryFilter {
  account_id: string | null;
  job_id: string | null;
  event_id: string | null;
  status: DeliveryStatus | null;
}

const ID_FILTERS = ['account_id', 'job_id', 'event_id'] as const;

/** Reads deliveries for operators. */
@Injectable()
export class DeliveryLogRepository {
  constructor(private readonly database: Database) {}

  /** Newest first, starting after the cursor. */
  list(filter: DeliveryFilter, cursor: string | null, limit: number): Promise<DeliveryRow[]> {
    const given = ID_FILTERS.filter((column) => filter[column] !== null);
    const values = [limit, cursor ?? AFTER_ALL_IDS, ...given.map((column) => filter[column])];
    return this.database.query<DeliveryRow>(listBy(given, filter.status), values);
  }

  find(deliveryId: string): Promise<DeliveryRow | null> {
    return this.database.findOne<DeliveryRow>(FIND, [deliveryId]);
  }

  /** In the order of their numbers. */
  listAttempts(deliveryId: string): Promise<AttemptRow[]> {
    return this.database.query<AttemptRow>(LIST_ATTEMPTS, [deliveryId]);
  }

  /** Endpoints with the most failures first, without the first `skipped`. */
  listFailingEndpoints(accountId: string | null, skipped: number, limit: number): Promise<FailingEndpointRow[]> {
    return this.database.query<FailingEndpointRow>(LIST_FAILING_ENDPOINTS, [accountId, skipped, limit]);
  }
}
