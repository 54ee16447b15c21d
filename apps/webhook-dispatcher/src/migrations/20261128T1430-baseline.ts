import { BaselineMigration } from '@kinora/database/without-nest';

/**
 * A webhook is a row before it is a request, so that no crash loses it. By default a table is vacuumed when a fifth of it is dead:
 * in a table with a month of deliveries that takes days, and by then the index of due deliveries holds only dead versions.
 */
const DELIVERY = `
  CREATE TABLE delivery (
    -- X-Service-Delivery, the same at every attempt.
    id uuid PRIMARY KEY,
    event_id text NOT NULL,
    event_type text NOT NULL CHECK (event_type IN ('job.succeeded', 'job.failed', 'job.canceled')),
    account_id uuid NOT NULL,
    job_id uuid NOT NULL,
    url text NOT NULL,
    -- As text, not as json: exactly these characters are signed and sent at every attempt.
    body text NOT NULL,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'exhausted')),
    attempts integer NOT NULL DEFAULT 0,
    -- When the next attempt is due; during an attempt, the end of its lease.
    next_attempt_at timestamptz DEFAULT clock_timestamp(),
    -- Fencing token, raised by every claim: a result with an older token is discarded.
    fence integer NOT NULL DEFAULT 0,
    last_response_status integer,
    last_error text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    completed_at timestamptz,
    -- Host and port of the URL, by which slots are limited.
    host text NOT NULL DEFAULT '',
    last_latency_ms integer,
    -- The delivery that this one repeats, with the same event in the same bytes.
    redelivery_of uuid REFERENCES delivery (id),
    -- A delivery is attempted for hours, by loops outside any request, and its attempts continue this trace.
    traceparent text,
    -- From then on it carries what is left of the job, and it loses its address when it has ended.
    content_deleted_at timestamptz,
    requested_by uuid,
    CONSTRAINT delivery_is_completed_if_and_only_if_it_ended CHECK ((completed_at IS NULL) = (status = 'pending')),
    CONSTRAINT delivery_is_due_if_and_only_if_it_is_pending CHECK ((next_attempt_at IS NOT NULL) = (status = 'pending'))
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`;

const DELIVERY_INDEXES = `
  CREATE INDEX delivery_due ON delivery (next_attempt_at) WHERE status = 'pending';
  -- Only a request delivers an event a second time.
  CREATE UNIQUE INDEX delivery_first_of_event ON delivery (event_id) WHERE redelivery_of IS NULL;
  CREATE INDEX delivery_of_event ON delivery (event_id);
  CREATE INDEX delivery_of_job ON delivery (job_id);
  -- Lists of an account, also by the host of its receiver.
  CREATE INDEX delivery_of_account ON delivery (account_id, id);
  CREATE INDEX delivery_of_host ON delivery (account_id, host, id);
  -- The deliveries that keys of an account request are counted before each new one.
  CREATE INDEX delivery_requested ON delivery (account_id, id) WHERE requested_by IS NOT NULL;
  -- A delivery is pruned only when no other one repeats it.
  CREATE INDEX delivery_redelivery_of ON delivery (redelivery_of) WHERE redelivery_of IS NOT NULL;
  -- Lists of exhausted deliveries. Nearly all rows are delivered ones, which are in none of these indexes.
  CREATE INDEX delivery_exhausted ON delivery (completed_at) WHERE status = 'exhausted';
  CREATE INDEX delivery_exhausted_newest ON delivery (id) WHERE status = 'exhausted';
  CREATE INDEX delivery_exhausted_of_account ON delivery (account_id, id) WHERE status = 'exhausted'`;

const ATTEMPT = `
  CREATE TABLE attempt (
    delivery_id uuid NOT NULL REFERENCES delivery (id),
    number integer NOT NULL CHECK (number > 0),
    response_status integer,
    -- The class of the failure; null if a 2xx arrived in time.
    error text,
    latency_ms integer NOT NULL,
    ended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    response_excerpt text,
    PRIMARY KEY (delivery_id, number)
  ) WITH (autovacuum_vacuum_scale_factor = 0.05)`;

/** One row: how far the sweep has read the finished jobs. */
const SWEEP = `
  CREATE TABLE sweep (
    name text PRIMARY KEY CHECK (name = 'finished_jobs'),
    begun_at timestamptz NOT NULL DEFAULT '-infinity',
    -- The end of the last job that the sweep has read; null before the first.
    reached_at timestamptz,
    -- The sweep begins no earlier, so that it makes no delivery again that retention has pruned.
    forgotten_before timestamptz
  );
  INSERT INTO sweep (name) VALUES ('finished_jobs')`;

/**
 * Why: the deliveries of webhooks, their attempts, and the sweep that finds lost ones.
 * Lock: none, the tables are new. Way back: none, it is the first migration.
 */
export class Baseline1795876200000 extends BaselineMigration {
  readonly name = 'Baseline1795876200000';
  readonly replaces = 'IndexRequestedDeliveries1795387740000';
  protected readonly schema = [DELIVERY, DELIVERY_INDEXES, ATTEMPT, SWEEP];
}
