import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a delivery is attempted up to six times, each attempt stays on record, and an event may be delivered again under
 * another delivery id. The event id alone deduplicates arrivals, so the inbox is no longer needed.
 * Lock: ACCESS EXCLUSIVE on delivery while the failed ones are renamed and two indexes are built. A process of the
 * version before fails to write deliveries from here on; the broker keeps its events for a process of this version.
 * Way back: down() keeps the oldest delivery of each event and deletes the attempts; deliveries between two attempts
 * are attempted once more.
 */
export class ScheduleAttempts1795189800000 implements MigrationInterface {
  name = 'ScheduleAttempts1795189800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(STATUSES);
    await runner.query(COLUMNS);
    await runner.query(INDEXES);
    await runner.query(ATTEMPT);
    await runner.query('DROP TABLE inbox');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(WAY_BACK);
  }
}

const STATUSES = `
  ALTER TABLE delivery DROP CONSTRAINT delivery_status_check;
  UPDATE delivery SET status = 'exhausted' WHERE status = 'failed';
  ALTER TABLE delivery ADD CONSTRAINT delivery_status_check CHECK (status IN ('pending', 'delivered', 'exhausted'))`;

const COLUMNS = `
  ALTER TABLE delivery
    -- Host and port of the URL, by which slots are limited. Empty in rows from before this column.
    ADD COLUMN host text NOT NULL DEFAULT '',
    ADD COLUMN last_latency_ms integer,
    -- The delivery that this one repeats, with the same event in the same bytes.
    ADD COLUMN redelivery_of uuid REFERENCES delivery (id)`;

const INDEXES = `
  ALTER TABLE delivery DROP CONSTRAINT delivery_event_id_key;
  -- Only an operator's request delivers an event a second time.
  CREATE UNIQUE INDEX delivery_first_of_event ON delivery (event_id) WHERE redelivery_of IS NULL;
  CREATE INDEX delivery_of_event ON delivery (event_id);
  CREATE INDEX delivery_exhausted ON delivery (completed_at) WHERE status = 'exhausted'`;

const ATTEMPT = `
  CREATE TABLE attempt (
    delivery_id uuid NOT NULL REFERENCES delivery (id),
    number integer NOT NULL CHECK (number > 0),
    response_status integer,
    -- The class of the failure; null if a 2xx arrived in time.
    error text,
    latency_ms integer NOT NULL,
    ended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (delivery_id, number)
  )`;

const WAY_BACK = `
  CREATE TABLE inbox (
    consumer text NOT NULL,
    message_id text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (consumer, message_id)
  );
  CREATE INDEX inbox_by_age ON inbox (received_at);
  DROP TABLE attempt;
  DROP INDEX delivery_first_of_event, delivery_of_event, delivery_exhausted;
  DELETE FROM delivery WHERE redelivery_of IS NOT NULL;
  ALTER TABLE delivery DROP COLUMN host, DROP COLUMN last_latency_ms, DROP COLUMN redelivery_of;
  ALTER TABLE delivery ADD CONSTRAINT delivery_event_id_key UNIQUE (event_id);
  ALTER TABLE delivery DROP CONSTRAINT delivery_status_check;
  UPDATE delivery SET status = 'failed' WHERE status = 'exhausted';
  ALTER TABLE delivery ADD CONSTRAINT delivery_status_check CHECK (status IN ('pending', 'delivered', 'failed'))`;
