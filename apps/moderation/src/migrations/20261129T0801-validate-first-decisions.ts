import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: every decision belongs to the first partition.
 * Lock: none that blocks reads or writes; it reads the whole table.
 * Way back: none is needed.
 */
export class ValidateFirstDecisions1795939260000 implements MigrationInterface {
  name = 'ValidateFirstDecisions1795939260000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE decision VALIDATE CONSTRAINT decision_in_first_partition');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT 1');
  }
}
