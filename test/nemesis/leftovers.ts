import { EVENT_STREAM } from '@kinora/bus';
import { type ConsumerInfo, connect } from 'nats';
import type { Client } from 'pg';

/** Node keeps some of what it has once used, and moderation loads a model for its first image. */
const GROWTH_MB = 128;
/** Twice the time for which the consumers wait for an acknowledgement, and more. */
const REDELIVERED_WITHIN_MS = 70_000;

/** Every row that a sweep looks up by its time, in all contexts; and holds, as those of abandoned creations are released later. */
const FIND_OVERDUE = `
  SELECT place || ' ' || id AS row FROM (
    SELECT 'jobs.job' AS place, id, deadline_at AS due_at FROM jobs.job WHERE deadline_at IS NOT NULL
    UNION ALL
    SELECT 'jobs.attempt', job_id, next_check_at FROM jobs.attempt WHERE state <> 'ended'
    UNION ALL
    SELECT 'webhook_dispatcher.delivery', id, next_attempt_at FROM webhook_dispatcher.delivery WHERE status = 'pending'
    UNION ALL
    SELECT 'billing.checkout', id, next_check_at FROM billing.checkout WHERE ended_at IS NULL
    UNION ALL
    SELECT 'billing.payment', id, next_check_at FROM billing.payment WHERE ended_at IS NULL
    UNION ALL
    SELECT 'billing.payment_refund', id, next_check_at FROM billing.payment_refund WHERE ended_at IS NULL
    UNION ALL
    SELECT 'billing.hold', job_id, '-infinity' FROM billing.hold WHERE state = 'held'
    UNION ALL
    SELECT 'billing.ledger_month', after_account_id, '-infinity' FROM billing.ledger_month WHERE closed_at IS NULL
    UNION ALL
    SELECT 'billing.email', id, next_attempt_at FROM billing.email WHERE ended_at IS NULL
  ) AS due WHERE due_at < clock_timestamp() - interval '1 minute'`;

/** The rows whose time is over by more than a minute, by the clock of the database. */
export async function findOverdueRows(database: Client): Promise<string[]> {
  const { rows } = await database.query<{ row: string }>(FIND_OVERDUE);
  return rows.map(({ row }) => `overdue: ${row}`);
}

/**
 * Messages that a consumer has not acknowledged. Those that a damaged file has lost are no such: the server counts them for ever and
 * delivers none of them again, although the consumer pulls.
 */
export class UnreadMessages {
  private readonly lastDeliveries = new Map<string, { count: number; sinceMs: number }>();

  constructor(
    private readonly natsUrl: string,
    private readonly redeliveredWithinMs = REDELIVERED_WITHIN_MS,
  ) {}

  async find(): Promise<string[]> {
    const connection = await connect({ servers: this.natsUrl });
    try {
      const manager = await connection.jetstreamManager();
      const consumers = await manager.consumers.list(EVENT_STREAM).next();
      return consumers
        .filter((consumer) => consumer.num_pending + consumer.num_ack_pending > 0 && !this.isLost(consumer))
        .map(({ name, num_pending, num_ack_pending }) => `${num_pending + num_ack_pending} messages for ${name}`);
    } finally {
      await connection.close();
    }
  }

  private isLost({ name, num_waiting, delivered: { consumer_seq: count } }: ConsumerInfo): boolean {
    const last = this.lastDeliveries.get(name);
    if (last?.count === count && num_waiting > 0) return performance.now() - last.sinceMs > this.redeliveredWithinMs;
    this.lastDeliveries.set(name, { count, sinceMs: performance.now() });
    return false;
  }
}

/** @param before resident memory of each process, in megabytes, as `now`. */
export function findGrown(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): string[] {
  return [...now]
    .filter(([name, megabytes]) => megabytes > (before.get(name) ?? Infinity) + GROWTH_MB)
    .map(([name, megabytes]) => `${name} holds ${Math.round(megabytes)} MB`);
}
