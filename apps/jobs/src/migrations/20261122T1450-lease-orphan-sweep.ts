import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: every runner listed the whole object store every ten minutes. Now one runner at a time lists it, once a day, and its
 * position is stored, so that a pass continues after a restart. Lock: none, because the table is new. Way back: drop it.
 */
export class LeaseOrphanSweep1795359000000 implements MigrationInterface {
  name = 'LeaseOrphanSweep1795359000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE orphan_sweep (
        -- The table has one row.
        name         text PRIMARY KEY CHECK (name = 'object_store'),
        -- The holder of the lease.
        holder       uuid,
        leased_until timestamptz NOT NULL DEFAULT '-infinity',
        -- When the last pass began, and its position: null between two passes.
        begun_at     timestamptz NOT NULL DEFAULT '-infinity',
        folder       text,
        after_key    text
      )`);
    await runner.query(`INSERT INTO orphan_sweep (name) VALUES ('object_store')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE orphan_sweep');
  }
}
