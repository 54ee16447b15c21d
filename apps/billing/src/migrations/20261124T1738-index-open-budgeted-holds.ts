import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the revocation of a key with a given budget moves its open holds. Without an index it reads all holds that the key
 * ever had. Only open holds of capped keys are in the index.
 * Lock: none that blocks a statement. Way back: drop the index.
 */
export class IndexOpenBudgetedHolds1795541880000 implements MigrationInterface {
  name = 'IndexOpenBudgetedHolds1795541880000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const definition = `ON hold (budget_key_id) WHERE state = 'held' AND budget_key_id IS NOT NULL`;
    await buildIndex(runner, { name: 'hold_open_of_budget', definition });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS hold_open_of_budget');
  }
}
