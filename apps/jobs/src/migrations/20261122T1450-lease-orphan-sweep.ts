import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: every runner listed the whole object store every ten minutes. One of them at a time now goes over it, once a day, and its
 * place is kept, so that a pass survives restarts.
 * Lock: none, the table is new. Way back: drop it.
 */
export class LeaseOrphanSweep1795359000000 implements MigrationInterface {
  name = 'LeaseOrphanSweep1795359000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE orphan_sweep (
        -- One row.
        name         text PRIMARY KEY CHECK (name = 'object_store'),
        -- The process that lists, until its lease is over.
        holder       uuid,
        leased_until timestamptz NOT NULL DEFAULT '-infinity',
        -- When the last pass began, and where it is: null between two passes.
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
