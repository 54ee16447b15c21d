import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a decision that is looked at again under another policy must say which of its content was text, since engines judge
 * text and images by different thresholds. Decisions of before do not say it, and cannot be replayed.
 * Lock: the table is closed for the moment that its definition changes; no row is rewritten. Way back: drop the column.
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
