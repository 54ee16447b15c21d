import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: simple pictures of the same outlines share a perceptual hash; their luminances differ.
 * Lock: fingerprint, for a moment. Way back: drops the column.
 */
export class AddLuminances1795950900000 implements MigrationInterface {
  name = 'AddLuminances1795950900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE fingerprint ADD COLUMN luminances bytea');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE fingerprint DROP COLUMN luminances');
  }
}
