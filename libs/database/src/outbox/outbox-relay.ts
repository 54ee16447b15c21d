import { type Database, type Queryable } from '../database';
import { statement } from '../statement';

/** Hands one event to the broker; resolves only when the broker has acknowledged it. */
export type Publish = (subject: string, payload: unknown, messageId: string) => Promise<void>;

interface OutboxRow {
  id: string;
  subject: string;
  payload: unknown;
}

const BATCH = 64;
const POLL_MS = 1_000;

/** Not "everything after the last id": ids commit out of order, and that would skip rows. */
const CLAIM = statement(
  'outbox_claim',
  `SELECT id, subject, payload FROM outbox ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
);
const REMOVE = statement('outbox_remove', 'DELETE FROM outbox WHERE id = ANY($1::uuid[])');

/** Moves events from the outbox to the broker, at least once each. */
export class OutboxRelay {
  private running: Promise<void> | undefined;
  private stopping = false;
  private nudged = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly publish: Publish,
    private readonly onFailure: (reason: string) => void,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** Tells the relay that a transaction with an event has just been committed, so that it need not wait for its next look. */
  nudge(): void {
    this.nudged = true;
    this.wake();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.nudged = false;
      const sent = await this.relayBatch().catch((error: unknown) => {
        this.onFailure(error instanceof Error ? error.message : String(error));
        return 0;
      });
      if (sent < BATCH && !this.nudged && !this.stopping) await this.pause();
    }
  }

  private relayBatch(): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const rows = await transaction.query<OutboxRow>(CLAIM);
      if (rows.length === 0) return 0;
      const sent = await this.publishAll(rows);
      await this.remove(transaction, sent);
      return sent.length;
    });
  }

  private async publishAll(rows: OutboxRow[]): Promise<string[]> {
    const outcomes = await Promise.allSettled(
      rows.map(({ id, subject, payload }) => this.publish(subject, payload, id)),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) this.onFailure(String(failed.reason));
    return rows.filter((_, index) => outcomes[index]?.status === 'fulfilled').map(({ id }) => id);
  }

  private async remove(transaction: Queryable, ids: string[]): Promise<void> {
    if (ids.length > 0) await transaction.execute(REMOVE, [ids]);
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
