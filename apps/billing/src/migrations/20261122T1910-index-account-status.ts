import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: operators list the accounts of one status. Without an index, a list of few accounts, for example the suspended ones,
 * reads all accounts. Most accounts are active, and the primary key finds these.
 * Lock: none that blocks a statement. Way back: drop the index.
 */
export class IndexAccountStatus1795374600000 implements MigrationInterface {
  name = 'IndexAccountStatus1795374600000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'account_inactive',
      definition: `ON account (status, id) WHERE status <> 'active'`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS account_inactive');
  }
}
