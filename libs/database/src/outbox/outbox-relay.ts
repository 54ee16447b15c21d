import { WorkLoop, crashPoint } from '@kinora/service-kit';
import type { Database } from '../database';
import { statement } from '../statement';

/** Publishes one event; resolves only when the broker has acknowledged it. */
export type Publish = (
  subject: string,
  payload: unknown,
  messageId: string,
  traceparent?: string | null,
) => Promise<void>;

interface OutboxRow {
  id: string;
  subject: string;
  payload: unknown;
  /** The trace of the change that caused the event. */
  traceparent: string | null;
}

const BATCH = 64;
const POLL_MS = 1_000;

/** Not "everything after the last id": transactions commit out of id order, and such a query would skip rows. */
const CLAIM = statement(
  'outbox_claim',
  `SELECT id, subject, payload, traceparent FROM outbox ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
);
const REMOVE = statement('outbox_remove', 'DELETE FROM outbox WHERE id = ANY($1::uuid[])');

/** Moves events from the outbox to the broker, at least once each. */
export class OutboxRelay {
  private readonly loop: WorkLoop;

  constructor(
    private readonly database: Database,
    private readonly publish: Publish,
    private readonly onFailure: (reason: string) => void,
  ) {
    this.loop = new WorkLoop({
      work: () => this.relayBatch(),
      idleMs: POLL_MS,
      onFailure: (error) => onFailure(String(error)),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Wakes the relay after the commit of a transaction with an event. */
  nudge(): void {
    this.loop.nudge();
  }

  /** Polls once more, so that the last commits do not wait for another process. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.relayBatch().catch((error: unknown) => this.onFailure(String(error)));
  }

  /**
   * The rows stay locked until the broker has acknowledged them. Several relays thus share the work, and no event is published
   * by two.
   */
  private async relayBatch(): Promise<'more' | 'idle'> {
    const sentCount = await this.database.transaction(async (transaction) => {
      const rows = await transaction.query<OutboxRow>(CLAIM);
      const sent = await this.publishAll(rows);
      if (sent.length > 0) await transaction.execute(REMOVE, [sent]);
      return sent.length;
    });
    if (sentCount > 0) crashPoint('outbox.removed');
    return sentCount === BATCH ? 'more' : 'idle';
  }

  private async publishAll(rows: OutboxRow[]): Promise<string[]> {
    if (rows.length > 0) crashPoint('outbox.before_publish');
    const outcomes = await Promise.allSettled(
      rows.map(({ id, subject, payload, traceparent }) => this.publish(subject, payload, id, traceparent)),
    );
    if (rows.length > 0) crashPoint('outbox.published');
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) this.onFailure(String(failed.reason));
    return rows.filter((_, index) => outcomes[index]?.status === 'fulfilled').map(({ id }) => id);
  }
}
