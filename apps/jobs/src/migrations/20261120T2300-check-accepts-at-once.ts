import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: what keeps a job from being stored that was given up, or with other inputs than passed, was a good part of what storing
 * it costs. Whether ids were given up is now asked once a statement, and under one lock instead of one for each job: all that
 * store jobs share it, and whoever gives ids up, which is rare, waits for them and has it alone. The comparison of the
 * inputs is a function: a CHECK is read and planned anew by each statement, the body of a function once a connection.
 * Lock: `job` is closed for the moment that its definition changes, in which nobody holds one of the old locks, since both who
 * store jobs and who give ids up have `job` open; no row is rewritten or checked. Way back: down().
 */
export class CheckAcceptsAtOnce1795215600000 implements MigrationInterface {
  name = 'CheckAcceptsAtOnce1795215600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION refuse_tombstoned_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        given_up uuid;
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('kinora_job_tombstone', 0));
        SELECT job_id INTO given_up FROM stored JOIN job_tombstone ON job_tombstone.job_id = stored.id LIMIT 1;
        IF FOUND THEN
          RAISE EXCEPTION 'job % was given up before it was stored', given_up
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'job_is_not_tombstoned';
        END IF;
        RETURN NULL;
      END $$;
      CREATE OR REPLACE FUNCTION refuse_tombstone_of_job() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('kinora_job_tombstone', 0));
        IF EXISTS (SELECT FROM job WHERE id = NEW.job_id) THEN
          RETURN NULL;
        END IF;
        RETURN NEW;
      END $$;
      DROP TRIGGER job_is_not_tombstoned ON job;
      CREATE TRIGGER job_is_not_tombstoned AFTER INSERT ON job REFERENCING NEW TABLE AS stored
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_tombstoned_jobs();
      DROP FUNCTION refuse_tombstoned_job()`);
    await runner.query(`
      CREATE FUNCTION inputs_sha256(input json, images json) RETURNS jsonb IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
      BEGIN
        RETURN to_jsonb(array_remove(ARRAY[encode(sha256(convert_to(input ->> 'prompt', 'UTF8')), 'hex'),
                                           encode(sha256(convert_to(input ->> 'negative_prompt', 'UTF8')), 'hex')], NULL))
               || jsonb_path_query_array(images::jsonb, '$[*].sha256');
      END $$;
      ALTER TABLE job DROP CONSTRAINT job_waits_with_the_inputs_that_passed;
      ALTER TABLE job ADD CONSTRAINT job_waits_with_the_inputs_that_passed CHECK (
        status <> 'queued' OR passed_input_sha256 IS NULL OR to_jsonb(passed_input_sha256) = inputs_sha256(input, images)
      ) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE job DROP CONSTRAINT job_waits_with_the_inputs_that_passed;
      ALTER TABLE job ADD CONSTRAINT job_waits_with_the_inputs_that_passed CHECK (
        status <> 'queued' OR passed_input_sha256 IS NULL OR to_jsonb(passed_input_sha256) =
          to_jsonb(array_remove(ARRAY[encode(sha256(convert_to(input ->> 'prompt', 'UTF8')), 'hex'),
                                      encode(sha256(convert_to(input ->> 'negative_prompt', 'UTF8')), 'hex')], NULL))
          || jsonb_path_query_array(images::jsonb, '$[*].sha256')) NOT VALID;
      DROP FUNCTION inputs_sha256(json, json)`);
    await runner.query(`
      CREATE FUNCTION refuse_tombstoned_job() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended(NEW.id::text, 0));
        IF EXISTS (SELECT FROM job_tombstone WHERE job_id = NEW.id) THEN
          RAISE EXCEPTION 'job % was given up before it was stored', NEW.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'job_is_not_tombstoned';
        END IF;
        RETURN NEW;
      END $$;
      CREATE OR REPLACE FUNCTION refuse_tombstone_of_job() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended(NEW.job_id::text, 0));
        IF EXISTS (SELECT FROM job WHERE id = NEW.job_id) THEN
          RETURN NULL;
        END IF;
        RETURN NEW;
      END $$;
      DROP TRIGGER job_is_not_tombstoned ON job;
      CREATE TRIGGER job_is_not_tombstoned BEFORE INSERT ON job FOR EACH ROW EXECUTE FUNCTION refuse_tombstoned_job();
      DROP FUNCTION refuse_tombstoned_jobs()`);
  }
}
