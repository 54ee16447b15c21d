import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a list of what was given up, and what of an account was lost, read all that was delivered since, which is nearly
 * everything. What is delivered is in neither index and costs nothing more.
 * Lock: none that anybody waits for. Way back: down().
 */
export class IndexExhaustedDeliveries1795223400000 implements MigrationInterface {
  name = 'IndexExhaustedDeliveries1795223400000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const exhausted = `WHERE status = 'exhausted'`;
    await buildIndex(runner, { name: 'delivery_exhausted_newest', definition: `ON delivery (id) ${exhausted}` });
    const ofAccount = `ON delivery (account_id, id) ${exhausted}`;
    await buildIndex(runner, { name: 'delivery_exhausted_of_account', definition: ofAccount });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS delivery_exhausted_of_account');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS delivery_exhausted_newest');
  }
}
