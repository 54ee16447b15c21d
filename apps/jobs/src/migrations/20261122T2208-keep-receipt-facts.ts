import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a receipt states what was requested and how the price came about, also after the content of the job was deleted, so the
 * hashes and the price are stored at the creation. Jobs of earlier releases have none. `receipt_key` keeps every public key that
 * has signed, so that a receipt can be verified after its private key was replaced.
 * Lock: ACCESS EXCLUSIVE on job, for the moment in which a column without a default is added. Way back: down(), which drops both.
 */
export class KeepReceiptFacts1795385280000 implements MigrationInterface {
  name = 'KeepReceiptFacts1795385280000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job ADD COLUMN accepted_facts json');
    await runner.query(
      `CREATE TABLE receipt_key (
         kid text PRIMARY KEY,
         x text NOT NULL,
         created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
         withdrawn_at timestamptz
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE receipt_key');
    await runner.query('ALTER TABLE job DROP COLUMN accepted_facts');
  }
}
