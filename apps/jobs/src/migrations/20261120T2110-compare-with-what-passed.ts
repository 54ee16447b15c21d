import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: that some decision has passed says nothing if it was about something else. The gate says by hashes what it has seen, and
 * no job waits whose prompts and input images are others, nor succeeds with other outputs. Inputs are compared while a job
 * waits, so that not each later change of its row hashes its prompt again.
 * Null is what a process of the release before leaves, which may still be at work; a later release can forbid it.
 * Lock: `job` is closed for the moment that its definition changes; no row is rewritten or checked, and those that are there
 * have null. Way back: drop the columns, and the checks with them.
 */
export class CompareWithWhatPassed1795209000000 implements MigrationInterface {
  name = 'CompareWithWhatPassed1795209000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job ADD COLUMN passed_input_sha256 text[], ADD COLUMN passed_output_sha256 text[]');
    await runner.query(`
      ALTER TABLE job
        ADD CONSTRAINT job_waits_with_the_inputs_that_passed CHECK (
          status <> 'queued' OR passed_input_sha256 IS NULL OR to_jsonb(passed_input_sha256) =
            to_jsonb(array_remove(ARRAY[encode(sha256(convert_to(input ->> 'prompt', 'UTF8')), 'hex'),
                                        encode(sha256(convert_to(input ->> 'negative_prompt', 'UTF8')), 'hex')], NULL))
            || jsonb_path_query_array(images::jsonb, '$[*].sha256')) NOT VALID,
        ADD CONSTRAINT job_succeeds_with_the_outputs_that_passed CHECK (
          status <> 'succeeded' OR passed_output_sha256 IS NULL OR
          to_jsonb(passed_output_sha256) = jsonb_path_query_array(output::jsonb, '$[*].sha256')) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job DROP COLUMN passed_input_sha256, DROP COLUMN passed_output_sha256');
  }
}
