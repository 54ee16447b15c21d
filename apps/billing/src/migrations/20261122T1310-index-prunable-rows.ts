import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: handled messages and retired webhook secrets are deleted by age.
 * Lock: none that blocks a statement: the indexes are built concurrently. Way back: down().
 */
export class IndexPrunableRows1795353000000 implements MigrationInterface {
  name = 'IndexPrunableRows1795353000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, { name: 'inbox_by_age', definition: 'ON inbox (received_at)' });
    const retired = 'ON webhook_secret (valid_until) WHERE valid_until IS NOT NULL';
    await buildIndex(runner, { name: 'webhook_secret_retired', definition: retired });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS webhook_secret_retired');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS inbox_by_age');
  }
}
