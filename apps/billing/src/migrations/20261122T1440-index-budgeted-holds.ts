import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a full verification compares each key's budget with the holds of its period. Without an index it reads all holds
 * for each key. Only holds of capped keys are in the index.
 * Lock: none that blocks a statement. Way back: drop the index.
 */
export class IndexBudgetedHolds1795358400000 implements MigrationInterface {
  name = 'IndexBudgetedHolds1795358400000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const definition = 'ON hold (budget_key_id, budget_period_start) WHERE budget_key_id IS NOT NULL';
    await buildIndex(runner, { name: 'hold_of_budget', definition });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS hold_of_budget');
  }
}
