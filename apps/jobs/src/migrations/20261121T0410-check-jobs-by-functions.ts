import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The rules for the columns of a job, for each status and for all. */
const IS_SOUND = `
  CREATE FUNCTION job_is_sound(kind text, status text, moderation_status text, output_decision_id uuid, output json,
                               error_code text, deadline_at timestamptz, completed_at timestamptz, price_micros bigint,
                               retention_days integer)
  RETURNS boolean IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN kind IN ('image.generation', 'image.edit', 'image.variation', 'image.inpaint', 'video.generation')
      AND moderation_status IN ('pending', 'passed', 'blocked')
      AND price_micros >= 0
      AND retention_days BETWEEN 1 AND 365
      AND (output IS NOT NULL) = (status = 'succeeded')
      AND (error_code IS NOT NULL) = (status = 'failed')
      AND CASE
            WHEN status IN ('queued', 'processing') THEN deadline_at IS NOT NULL AND completed_at IS NULL
            WHEN status IN ('succeeded', 'failed', 'canceled') THEN deadline_at IS NULL AND completed_at IS NOT NULL
            ELSE false
          END
      AND (status <> 'succeeded' OR (moderation_status = 'passed' AND output_decision_id IS NOT NULL));
  END $$`;

/** The gate has passed what a job waits with, and what it succeeds with; null is written by the previous release. */
const IS_OF_WHAT_PASSED = `
  CREATE FUNCTION job_is_of_what_passed(status text, input json, images json, passed_input_sha256 text[], output json,
                                        passed_output_sha256 text[])
  RETURNS boolean IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN CASE status
      WHEN 'queued' THEN passed_input_sha256 IS NULL OR to_jsonb(passed_input_sha256) =
        to_jsonb(array_remove(ARRAY[encode(sha256(convert_to(input ->> 'prompt', 'UTF8')), 'hex'),
                                    encode(sha256(convert_to(input ->> 'negative_prompt', 'UTF8')), 'hex')], NULL))
        || jsonb_path_query_array(images::jsonb, '$[*].sha256')
      WHEN 'succeeded' THEN passed_output_sha256 IS NULL OR
        to_jsonb(passed_output_sha256) = jsonb_path_query_array(output::jsonb, '$[*].sha256')
      ELSE true
    END;
  END $$`;

/** The checks before this migration, and which of them existing rows were compared with. */
const OLD_CHECKS: [name: string, check: string][] = [
  [
    'job_kind_check',
    `kind IN ('image.generation', 'image.edit', 'image.variation', 'image.inpaint', 'video.generation')`,
  ],
  ['job_status_check', `status IN ('queued', 'processing', 'succeeded', 'failed', 'canceled')`],
  ['job_moderation_status_check', `moderation_status IN ('pending', 'passed', 'blocked')`],
  ['job_price_micros_check', 'price_micros >= 0'],
  ['job_retention_days_check', 'retention_days BETWEEN 1 AND 365'],
  ['job_has_output_if_and_only_if_it_succeeded', `(output IS NOT NULL) = (status = 'succeeded')`],
  ['job_has_error_if_and_only_if_it_failed', `(error_code IS NOT NULL) = (status = 'failed')`],
  [
    'job_is_completed_if_and_only_if_it_ended',
    `(completed_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'canceled'))`,
  ],
  ['job_in_flight_has_a_deadline', `(deadline_at IS NOT NULL) = (status IN ('queued', 'processing'))`],
  [
    'job_succeeds_only_past_the_output_gate',
    `status <> 'succeeded' OR (moderation_status = 'passed' AND output_decision_id IS NOT NULL)`,
  ],
  [
    'job_succeeds_with_the_outputs_that_passed',
    `status <> 'succeeded' OR passed_output_sha256 IS NULL OR
     to_jsonb(passed_output_sha256) = jsonb_path_query_array(output::jsonb, '$[*].sha256')`,
  ],
  [
    'job_waits_with_the_inputs_that_passed',
    `status <> 'queued' OR passed_input_sha256 IS NULL OR to_jsonb(passed_input_sha256) = inputs_sha256(input, images)`,
  ],
];
/** These checks were added when rows without hashes already existed. */
const NEVER_VALIDATED = new Set(['job_succeeds_with_the_outputs_that_passed', 'job_waits_with_the_inputs_that_passed']);

const INPUTS_SHA256 = `
  CREATE FUNCTION inputs_sha256(input json, images json) RETURNS jsonb IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN to_jsonb(array_remove(ARRAY[encode(sha256(convert_to(input ->> 'prompt', 'UTF8')), 'hex'),
                                       encode(sha256(convert_to(input ->> 'negative_prompt', 'UTF8')), 'hex')], NULL))
           || jsonb_path_query_array(images::jsonb, '$[*].sha256');
  END $$`;

/**
 * Why: PostgreSQL reads, plans and prepares every check anew for every statement that writes to its table. The twelve checks of
 * `job` were a third of the cost of storing a job, and as much of each claim and each end; the body of a function is read once
 * a connection. The rules are the same. The old checks are dropped in the same statement that adds the new ones, so no row
 * escapes them. Like the old checks, the new check of screened content is not validated against existing rows. Lock: ACCESS
 * EXCLUSIVE on `job` for that statement; the rows are then validated beside reads and writes. Repeatable as a whole, as a
 * migration without a transaction must be. Way back: down().
 */
export class CheckJobsByFunctions1795234200000 implements MigrationInterface {
  name = 'CheckJobsByFunctions1795234200000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE job
        DROP CONSTRAINT IF EXISTS job_is_sound,
        DROP CONSTRAINT IF EXISTS job_is_of_what_passed;
      DROP FUNCTION IF EXISTS job_is_sound, job_is_of_what_passed;
      ${IS_SOUND};
      ${IS_OF_WHAT_PASSED};
      ALTER TABLE job
        ADD CONSTRAINT job_is_sound CHECK (job_is_sound(kind, status, moderation_status, output_decision_id, output,
          error_code, deadline_at, completed_at, price_micros, retention_days)) NOT VALID,
        ADD CONSTRAINT job_is_of_what_passed CHECK (job_is_of_what_passed(status, input, images, passed_input_sha256, output,
          passed_output_sha256)) NOT VALID,
        ${OLD_CHECKS.map(([name]) => `DROP CONSTRAINT IF EXISTS ${name}`).join(',\n        ')};
      DROP FUNCTION IF EXISTS inputs_sha256`);
    await runner.query('ALTER TABLE job VALIDATE CONSTRAINT job_is_sound');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${INPUTS_SHA256};
      ALTER TABLE job
        ${OLD_CHECKS.map(([name, check]) => `ADD CONSTRAINT ${name} CHECK (${check}) NOT VALID`).join(',\n        ')},
        DROP CONSTRAINT job_is_sound,
        DROP CONSTRAINT job_is_of_what_passed;
      DROP FUNCTION job_is_sound, job_is_of_what_passed`);
    for (const [name] of OLD_CHECKS)
      if (!NEVER_VALIDATED.has(name)) await runner.query(`ALTER TABLE job VALIDATE CONSTRAINT ${name}`);
  }
}
