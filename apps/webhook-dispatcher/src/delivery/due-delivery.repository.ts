import { Injectable } from '@nestjs/common';
import { BatchedStatement, Database, inOpenMonths, statement } from '@kinora/database';
import { type ClaimedDelivery, LEASE_MS, type NextStep } from './delivery-attempt';
import type { SentAttempt } from './webhook-sender';

/** How many more attempts may begin now: in all, for each receiver, for each host and for each account. */
export interface SlotRoom {
  slots: number;
  /** How many of the free slots may go to slow receivers together. */
  slowSlots: number;
  /** A receiver is a host and an account, joined by a space. */
  openReceivers: { receivers: string[]; rooms: number[]; areSlow: boolean[] };
  closedReceivers: string[];
  openHosts: { hosts: string[]; rooms: number[] };
  closedHosts: string[];
  openAccounts: { accountIds: string[]; rooms: number[] };
  closedAccounts: string[];
  /** The room of a receiver, of a host and of an account that are not listed above. */
  otherReceiverRoom: number;
  otherHostRoom: number;
  otherAccountRoom: number;
}

/**
 * Locks a window of due rows, oldest first and without receivers, hosts and accounts that have no room, and claims those with
 * room. The first row always has room, so a claim never returns empty while a row is due. Rows that are locked but not
 * claimed are unlocked when the statement ends.
 */
const CLAIM_DUE = statement(
  'delivery_claim_due',
  `WITH due AS (
     SELECT id, host, account_id, next_attempt_at FROM delivery
     WHERE status = 'pending' AND next_attempt_at <= statement_timestamp()
       AND host || ' ' || account_id <> ALL ($9::text[])
       AND host <> ALL ($13::text[]) AND account_id <> ALL ($17::uuid[]) AND ${inOpenMonths('id')}
     ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED
   ), placed AS (
     SELECT due.id, due.next_attempt_at, coalesce(open_receiver.is_slow, false) AS is_slow,
            row_number() OVER of_receiver AS receiver_place, coalesce(open_receiver.room, $8) AS receiver_room,
            row_number() OVER of_host AS host_place, coalesce(open_host.room, $12) AS host_room,
            row_number() OVER of_account AS account_place, coalesce(open_account.room, $16) AS account_room,
            row_number() OVER (PARTITION BY coalesce(open_receiver.is_slow, false) ORDER BY due.next_attempt_at) AS lane_place
     FROM due
     LEFT JOIN unnest($5::text[], $6::integer[], $7::boolean[]) AS open_receiver (receiver, room, is_slow)
       ON open_receiver.receiver = due.host || ' ' || due.account_id
     LEFT JOIN unnest($10::text[], $11::integer[]) AS open_host (host, room) USING (host)
     LEFT JOIN unnest($14::uuid[], $15::integer[]) AS open_account (account_id, room) USING (account_id)
     WINDOW of_receiver AS (PARTITION BY host, account_id ORDER BY due.next_attempt_at),
            of_host AS (PARTITION BY host ORDER BY due.next_attempt_at),
            of_account AS (PARTITION BY account_id ORDER BY due.next_attempt_at)
   ), taken AS (
     SELECT id FROM placed
     WHERE receiver_place <= receiver_room AND host_place <= host_room AND account_place <= account_room
       AND (NOT is_slow OR lane_place <= $2)
     ORDER BY next_attempt_at LIMIT $1
   )
   UPDATE delivery SET fence = fence + 1, next_attempt_at = clock_timestamp() + $4 * interval '1 millisecond'
     FROM taken WHERE delivery.id = taken.id AND delivery.id = ANY (ARRAY(SELECT id FROM taken)) AND ${inOpenMonths('delivery.id')}
   RETURNING delivery.id, event_type, account_id, host, url, body, attempts, fence, traceparent,
             (SELECT count(*) FROM due)::integer AS due_count`,
);

/**
 * One statement changes the delivery and inserts the attempt, so that neither exists without the other. The guard is
 * `completed_at IS NULL` instead of `status = 'pending'`: the planner would use the partial index of pending rows and
 * read the whole backlog.
 */
const END_ATTEMPTS = statement(
  'delivery_end_attempts',
  `WITH result AS (
     SELECT * FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::double precision[], $5::integer[], $6::text[], $7::integer[],
                          $8::text[])
       AS result (id, fence, status, retry_after_ms, response_status, error, latency_ms, response_excerpt)
   ), ended AS (
     UPDATE delivery
     SET status = result.status, attempts = attempts + 1,
         next_attempt_at = clock_timestamp() + retry_after_ms * interval '1 millisecond',
         completed_at = CASE WHEN retry_after_ms IS NULL THEN clock_timestamp() END,
         url = CASE WHEN retry_after_ms IS NULL AND content_deleted_at IS NOT NULL THEN '' ELSE url END,
         last_response_status = response_status, last_error = error, last_latency_ms = latency_ms
     FROM result
     WHERE delivery.id = result.id AND delivery.fence = result.fence AND delivery.completed_at IS NULL
       AND delivery.id = ANY ($1::uuid[]) AND ${inOpenMonths('delivery.id')}
     RETURNING delivery.id, delivery.fence, attempts, response_status, error, latency_ms,
               CASE WHEN content_deleted_at IS NULL THEN response_excerpt END AS response_excerpt
   ), recorded AS (
     INSERT INTO attempt (delivery_id, number, response_status, error, latency_ms, response_excerpt)
     SELECT id, attempts, response_status, error, latency_ms, response_excerpt FROM ended
   )
   SELECT id, fence FROM ended`,
);

const POSTPONE = statement(
  'delivery_postpone',
  `UPDATE delivery SET next_attempt_at = clock_timestamp() + $3 * interval '1 millisecond'
   WHERE id = $1 AND fence = $2 AND status = 'pending' AND ${inOpenMonths('id')}`,
);

/** Due rows that are locked for each free slot, so that one receiver's backlog does not fill the whole window. */
const WINDOW_PER_SLOT = 4;

export interface Claim {
  deliveries: ClaimedDelivery[];
  /** Whether due rows may be left that this claim did not take. */
  leftSome: boolean;
}

interface EndedAttempt {
  delivery: ClaimedDelivery;
  sent: SentAttempt;
  next: NextStep;
}

/** Claims, ends and postpones due deliveries. */
@Injectable()
export class DueDeliveryRepository {
  private readonly ends: BatchedStatement<EndedAttempt, boolean>;

  constructor(private readonly database: Database) {
    this.ends = new BatchedStatement({
      run: (ended) => this.endBatch(ended),
      fairBy: ({ delivery }) => delivery.account_id,
    });
  }

  /** Claims due deliveries that have room. They become due again after the lease if no result is written. */
  async claim(room: SlotRoom, leaseMs = LEASE_MS): Promise<Claim> {
    const { openReceivers, openHosts, openAccounts } = room;
    const window = room.slots * WINDOW_PER_SLOT;
    const rows = await this.database.query<ClaimedDelivery & { due_count: number }>(CLAIM_DUE, [
      ...[room.slots, room.slowSlots, window, leaseMs],
      ...[openReceivers.receivers, openReceivers.rooms, openReceivers.areSlow],
      ...[room.otherReceiverRoom, room.closedReceivers],
      ...[openHosts.hosts, openHosts.rooms, room.otherHostRoom, room.closedHosts],
      ...[openAccounts.accountIds, openAccounts.rooms, room.otherAccountRoom, room.closedAccounts],
    ]);
    const dueCount = rows[0]?.due_count ?? 0;
    return { deliveries: rows, leftSome: dueCount > rows.length || dueCount === window };
  }

  /** @returns false if another process has claimed the delivery meanwhile; then only that process's attempt counts. */
  endAttempt(delivery: ClaimedDelivery, sent: SentAttempt, next: NextStep): Promise<boolean> {
    return this.ends.run({ delivery, sent, next });
  }

  /** Returns a claimed delivery that could not be attempted; it is due again after the delay. */
  async postpone({ id, fence }: ClaimedDelivery, delayMs: number): Promise<void> {
    await this.database.execute(POSTPONE, [id, fence, delayMs]);
  }

  private async endBatch(attempts: EndedAttempt[]): Promise<boolean[]> {
    const rows = attempts.map(({ delivery: { id, fence }, sent: { result, excerpt }, next }) => [
      ...[id, fence, next.status, next.retryAfterMs],
      ...[result.response_status, result.error, result.latency_ms, excerpt],
    ]);
    const columns = Array.from({ length: 8 }, (_, column) => rows.map((row) => row[column]));
    const ended = await this.database.query<{ id: string; fence: number }>(END_ATTEMPTS, columns);
    const counted = new Set(ended.map(({ id, fence }) => `${id} ${fence}`));
    return attempts.map(({ delivery }) => counted.has(`${delivery.id} ${delivery.fence}`));
  }
}
