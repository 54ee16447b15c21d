import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: engines judge texts and images by different thresholds, so a replay must know which content of a decision was text.
 * Older decisions lack the count and cannot be replayed.
 * Lock: ACCESS EXCLUSIVE for the change of the definition; no row is rewritten. Way back: drop the column.
 */
export class CountJudgedTexts1795208400000 implements MigrationInterface {
  name = 'CountJudgedTexts1795208400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE decision ADD COLUMN texts integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE decision DROP COLUMN texts');
  }
}
