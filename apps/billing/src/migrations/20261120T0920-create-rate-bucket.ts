import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: stores the rate-limit tokens of keys. Unlogged: after a crash of PostgreSQL the table is empty and every bucket
 * full, which is acceptable. A logged table would need a write-ahead log flush per request.
 * Lock: none, the table is new. Way back: drop it.
 */
export class CreateRateBucket1795166400000 implements MigrationInterface {
  name = 'CreateRateBucket1795166400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE rate_bucket (
        api_key_id uuid PRIMARY KEY,
        -- GCRA's theoretical arrival time: when the bucket will be full again.
        full_at    timestamptz NOT NULL
      ) WITH (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rate_bucket');
  }
}
