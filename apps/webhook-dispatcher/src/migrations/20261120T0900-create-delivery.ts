import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a webhook is a row before it is a request, so that no crash loses it. The inbox and the sweep ensure exactly one
 * row for each event.
 * Lock: none, the tables are new.
 * Way back: down() drops them, with the deliveries that are still to be made.
 */
export class CreateDelivery1795165200000 implements MigrationInterface {
  name = 'CreateDelivery1795165200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DELIVERY);
    await runner.query(INBOX);
    await runner.query(SWEEP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE delivery, inbox, sweep');
  }
}

const DELIVERY = `
  CREATE TABLE delivery (
    -- X-Service-Delivery, the same at every attempt.
    id uuid PRIMARY KEY,
    event_id text NOT NULL UNIQUE,
    event_type text NOT NULL CHECK (event_type IN ('job.succeeded', 'job.failed', 'job.canceled')),
    account_id uuid NOT NULL,
    job_id uuid NOT NULL,
    url text NOT NULL,
    -- As text, not as json: exactly these characters are signed and sent at every attempt.
    body text NOT NULL,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    -- When the next attempt is due; during an attempt, the end of its lease.
    next_attempt_at timestamptz DEFAULT clock_timestamp(),
    -- Fencing token, raised by every claim: a result with an older token is discarded.
    fence integer NOT NULL DEFAULT 0,
    last_response_status integer,
    last_error text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    completed_at timestamptz,
    CONSTRAINT delivery_is_completed_if_and_only_if_it_ended CHECK ((completed_at IS NULL) = (status = 'pending')),
    CONSTRAINT delivery_is_due_if_and_only_if_it_is_pending CHECK ((next_attempt_at IS NOT NULL) = (status = 'pending'))
  );
  CREATE INDEX delivery_due ON delivery (next_attempt_at) WHERE status = 'pending';
  CREATE INDEX delivery_of_account ON delivery (account_id, id);
  CREATE INDEX delivery_of_job ON delivery (job_id)`;

const INBOX = `
  CREATE TABLE inbox (
    consumer text NOT NULL,
    message_id text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (consumer, message_id)
  );
  CREATE INDEX inbox_by_age ON inbox (received_at)`;

/** One row: the time up to which the sweep has read the finished jobs. */
const SWEEP = `
  CREATE TABLE sweep (
    name text PRIMARY KEY CHECK (name = 'finished_jobs'),
    begun_at timestamptz NOT NULL DEFAULT '-infinity',
    -- The end of the last job that the sweep has read; null before the first.
    reached_at timestamptz
  );
  INSERT INTO sweep (name) VALUES ('finished_jobs')`;
