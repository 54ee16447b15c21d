import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: listing exhausted deliveries, and finding the lost ones of an account, read nearly every delivered row.
 * Delivered rows are in neither index and add no cost.
 * Lock: none that blocks readers or writers.
 * Way back: down().
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
