import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
  CREATE TABLE event_pending (
    account_id uuid NOT NULL,
    job_id uuid NOT NULL,
    PRIMARY KEY (account_id, job_id)
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
  CREATE TABLE event_feed (
    account_id uuid PRIMARY KEY,
    last_number bigint NOT NULL DEFAULT 0,
    last_token uuid,
    last_numbered_at timestamptz NOT NULL DEFAULT '-infinity',
    pruned_number bigint,
    pruned_token uuid,
    pruned_job_id uuid
  ) WITH (fillfactor = 70);
  CREATE TABLE feed_event (
    account_id uuid NOT NULL,
    number bigint NOT NULL,
    token uuid NOT NULL,
    job_id uuid NOT NULL,
    type text NOT NULL CONSTRAINT feed_event_type_check CHECK (type IN ('job.succeeded', 'job.failed', 'job.canceled')),
    numbered_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, number)
  );
  CREATE UNIQUE INDEX feed_event_of_job ON feed_event (job_id);
  CREATE INDEX feed_event_of_type ON feed_event (account_id, type, number);
  CREATE INDEX feed_event_by_age ON feed_event (numbered_at, number)`;

const AWAIT_NUMBER = `
  CREATE FUNCTION await_event_number() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO event_pending (account_id, job_id) VALUES (NEW.account_id, NEW.id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER job_ended_awaits_event_number AFTER UPDATE ON job
    FOR EACH ROW WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL) EXECUTE FUNCTION await_event_number()`;

/**
 * Positions are drawn under the lock of the account's row, and the lock is held until the commit. So a position is visible only
 * together with all positions before it, in whatever order the jobs have committed. Each statement of the function has a snapshot
 * of its own, so the one after the lock sees what the holder before has numbered.
 */
const NUMBER_EVENTS = `
  CREATE FUNCTION number_events(given_account uuid, most integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    head event_feed%ROWTYPE;
    moment timestamptz;
    taken_count integer;
  BEGIN
    IF NOT EXISTS (SELECT FROM event_pending WHERE account_id = given_account) THEN
      RETURN 0;
    END IF;
    INSERT INTO event_feed (account_id) VALUES (given_account) ON CONFLICT DO NOTHING;
    SELECT * INTO head FROM event_feed WHERE account_id = given_account FOR UPDATE;
    -- Never earlier than the event before, although the clock may be: events are pruned by this time, oldest position first.
    moment := greatest(clock_timestamp(), head.last_numbered_at);
    WITH taken AS (
      DELETE FROM event_pending WHERE account_id = given_account AND job_id IN (
        SELECT job_id FROM event_pending WHERE account_id = given_account ORDER BY job_id LIMIT most)
      RETURNING job_id
    ), numbered AS (
      INSERT INTO feed_event (account_id, number, token, job_id, type, numbered_at)
      SELECT given_account, head.last_number + row_number() OVER (ORDER BY job.completed_at, job.id), gen_random_uuid(), job.id,
             'job.' || job.status, moment
        FROM taken JOIN job ON job.id = taken.job_id
      RETURNING number, token
    ), newest AS (
      SELECT * FROM numbered ORDER BY number DESC LIMIT 1
    ), moved AS (
      UPDATE event_feed
         SET last_number = newest.number, last_token = newest.token, last_numbered_at = moment
        FROM newest WHERE account_id = given_account
    )
    SELECT count(*) INTO taken_count FROM numbered;
    RETURN taken_count;
  END $$`;

/**
 * Why: an account reads the events of all its jobs in one feed. Ended jobs are numbered after their commit, because ids and
 * positions drawn before a commit become visible in another order than they were drawn. A trigger adds every ended job, also one that
 * a process of the release before has ended; jobs that ended before this migration are not in the feed. Lock: SHARE ROW EXCLUSIVE on
 * job, for the moment in which the trigger is added. Way back: down(), which drops the feed.
 */
export class FeedEvents1795386600000 implements MigrationInterface {
  name = 'FeedEvents1795386600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(NUMBER_EVENTS);
    await runner.query(AWAIT_NUMBER);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER job_ended_awaits_event_number ON job');
    await runner.query('DROP FUNCTION await_event_number(), number_events(uuid, integer)');
    await runner.query('DROP TABLE event_pending, event_feed, feed_event');
  }
}
