import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a passed decision proves nothing if it was about other content. The gate returns the hashes of the content that it has
 * seen. A job can wait only with the screened prompts and input images, and succeed only with the screened outputs. Inputs are
 * compared only while a job waits, so that later updates do not hash the prompt again. Null is written by processes of the
 * previous release, which may still run; a later release can forbid it. Lock: ACCESS EXCLUSIVE on `job` for a moment; no row is
 * rewritten or checked, and existing rows have null. Way back: drop the columns, and the checks with them.
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
