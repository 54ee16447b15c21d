import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: two checks were a large part of the cost of storing a job: whether its id has a tombstone, and whether its inputs are
 * the screened ones. Tombstones are now checked once a statement, under one shared lock instead of one for each job; writing
 * tombstones, which is rare, takes the lock exclusively. The inputs are compared by a function: PostgreSQL plans a CHECK anew
 * for each statement, but the body of a function once a connection. Lock: ACCESS EXCLUSIVE on `job` for a moment, in which no
 * transaction holds one of the old locks, because both kinds of transactions have `job` open; no row is rewritten or checked.
 * Way back: down().
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
