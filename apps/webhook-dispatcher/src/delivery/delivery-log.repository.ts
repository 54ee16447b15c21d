import { Injectable } from '@nestjs/common';
import type { DeliveryStatus } from '@kinora/contracts/webhooks/webhooks.rpc';
import {
  ALL_MONTHS,
  Database,
  MAY_BE_STALE,
  type RowOf,
  columnsOf,
  daysAfter,
  firstIdOf,
  inOpenMonths,
  literal,
  literalRange,
  statement,
  timeOfId,
} from '@kinora/database';
import { InjectRepository } from '@nestjs/typeorm';
import { And, LessThanOrEqual, MoreThanOrEqual, Repository } from 'typeorm';
import { FAILED_DAYS } from './delivery-months';
import { AttemptEntity, DeliveryEntity } from './delivery.entity';

/** All columns except the body and those that claims use. */
const SHOWN = columnsOf(
  DeliveryEntity,
  ...(['id', 'event_id', 'event_type', 'account_id', 'job_id', 'url', 'status', 'attempts'] as const),
  ...(['last_response_status', 'last_error', 'last_latency_ms', 'next_attempt_at'] as const),
  ...(['redelivery_of', 'requested_by', 'created_at', 'completed_at'] as const),
);

export type ShownDelivery = RowOf<typeof SHOWN>;

/** Deliveries of one receiver that fail. */
export interface FailingEndpointRow extends Pick<
  DeliveryEntity,
  'account_id' | 'host' | 'last_response_status' | 'last_error' | 'next_attempt_at'
> {
  retrying: number;
  exhausted: number;
}

/** A page of most lists is full of deliveries of so many days. */
const READ_BACK_DAYS = 7;
/** Clocks of processes differ, but never by as much. */
const CLOCKS_DAYS = 1;

/** Each half uses its own partial index; delivered rows are not read. */
const LIST_FAILING_ENDPOINTS = statement(
  'delivery_list_failing_endpoints',
  `WITH failing AS (
     SELECT * FROM delivery WHERE status = 'pending' AND attempts > 0 AND ${inOpenMonths('id')}
     UNION ALL
     SELECT * FROM delivery
      WHERE status = 'exhausted' AND completed_at >= statement_timestamp() - interval '${FAILED_DAYS} days' AND ${inOpenMonths('id')}
   )
   SELECT account_id, host, count(*) FILTER (WHERE status = 'pending')::integer AS retrying,
          count(*) FILTER (WHERE status = 'exhausted')::integer AS exhausted,
          (array_agg(last_response_status ORDER BY id DESC))[1] AS last_response_status,
          (array_agg(last_error ORDER BY id DESC))[1] AS last_error, min(next_attempt_at) AS next_attempt_at
   FROM failing WHERE $1::uuid IS NULL OR account_id = $1
   GROUP BY account_id, host ORDER BY count(*) DESC, host, account_id OFFSET $2 LIMIT $3`,
  { mayBeStale: true },
);

interface DeliveryFilter {
  account_id: string | null;
  job_id: string | null;
  event_id: string | null;
  status: DeliveryStatus | null;
  /** Host and port, as in the rows. */
  host?: string;
  /** Only deliveries that were written at this time or later. */
  since?: Date;
}

/** Reads deliveries for operators. */
@Injectable()
export class DeliveryLogRepository {
  constructor(
    @InjectRepository(DeliveryEntity) private readonly deliveries: Repository<DeliveryEntity>,
    @InjectRepository(AttemptEntity) private readonly attempts: Repository<AttemptEntity>,
    private readonly database: Database,
  ) {}

  /** Newest first, starting after the cursor: from the latest days, and from all months only if those do not fill the page. */
  async list(filter: DeliveryFilter, cursor: string | null, limit: number): Promise<ShownDelivery[]> {
    const begin = this.beginningOf(filter);
    const latest = daysAfter(cursor === null ? new Date() : timeOfId(cursor), -READ_BACK_DAYS);
    const rows = await this.read(filter, begin > latest ? begin : latest, cursor, limit);
    return rows.length === limit || begin >= latest ? rows : await this.read(filter, begin, cursor, limit);
  }

  /** No delivery of the filter was written before this time. */
  private beginningOf({ since, job_id, status }: DeliveryFilter): Date {
    const times = [
      since ?? ALL_MONTHS.from,
      job_id === null ? ALL_MONTHS.from : daysAfter(timeOfId(job_id), -CLOCKS_DAYS),
      status === 'pending' ? this.database.openMonths.from : ALL_MONTHS.from,
    ];
    return new Date(Math.max(...times.map(Number)));
  }

  /**
   * The statement has the given filters only, so that each combination uses its own index at any table size. The status is a
   * literal, because the partial indexes on exhausted deliveries match only a literal. A host is a range of one, and part of the
   * order: with an equality, a plan made for every host reads all deliveries of the account, as if the host had as many as the others.
   */
  private read(filter: DeliveryFilter, from: Date, cursor: string | null, limit: number): Promise<ShownDelivery[]> {
    const { account_id, job_id, event_id, status, host } = filter;
    const before = cursor ?? firstIdOf(daysAfter(new Date(), CLOCKS_DAYS));
    return this.deliveries.find({
      comment: nameOfList(filter) + MAY_BE_STALE,
      select: SHOWN.selected,
      where: {
        ...(account_id !== null && { account_id }),
        ...(job_id !== null && { job_id }),
        ...(event_id !== null && { event_id }),
        ...(status !== null && { status: literal(status) }),
        ...(host !== undefined && { host: And(MoreThanOrEqual(host), LessThanOrEqual(host)) }),
        id: literalRange(firstIdOf(from), before),
      },
      order: { ...(host !== undefined && { host: 'DESC' as const }), id: 'DESC' },
      take: limit,
    });
  }

  find(deliveryId: string): Promise<ShownDelivery | null> {
    return this.deliveries.findOne({
      comment: 'delivery_find',
      select: SHOWN.selected,
      where: { id: literal(deliveryId) },
    });
  }

  /** In the order of their numbers. */
  listAttempts(deliveryId: string): Promise<AttemptEntity[]> {
    return this.attempts.find({
      comment: 'attempt_list',
      where: { delivery_id: literal(deliveryId) },
      order: { number: 'ASC' },
    });
  }

  /** Endpoints with the most failures first, without the first `skipped`. */
  listFailingEndpoints(accountId: string | null, skipped: number, limit: number): Promise<FailingEndpointRow[]> {
    return this.database.query<FailingEndpointRow>(LIST_FAILING_ENDPOINTS, [accountId, skipped, limit]);
  }
}

function nameOfList({ status, ...ids }: DeliveryFilter): string {
  const given = (['account_id', 'job_id', 'event_id', 'host'] as const).filter(
    (column) => (ids[column] ?? null) !== null,
  );
  return ['delivery_list', ...given, ...(status === null ? [] : [status])].join('_');
}
