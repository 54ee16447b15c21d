import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = [
  { name: 'api_key_unrevoked', definition: 'ON api_key (account_id, id) WHERE revoked_at IS NULL' },
  {
    name: 'api_key_by_former_hash',
    definition: 'ON api_key (former_hash) WHERE former_hash IS NOT NULL',
    unique: true,
  },
  { name: 'api_key_created_by', definition: 'ON api_key (created_by) WHERE created_by IS NOT NULL' },
  { name: 'key_budget_given_by', definition: 'ON key_budget (given_by) WHERE given_by IS NOT NULL' },
];

/**
 * Why: an account may have any number of revoked keys, which no request of its keys may have to read. Former secrets, and
 * the keys and budgets that a key has made, are found without a scan.
 * Lock: the indexes are built while keys are read and written, and budgets are checked likewise. The migration runs without
 * a transaction, so it must be repeatable as a whole. Way back: drop the indexes.
 */
export class IndexManagedKeys1795387020000 implements MigrationInterface {
  name = 'IndexManagedKeys1795387020000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE key_budget VALIDATE CONSTRAINT key_budget_cap_micros_check');
    for (const index of INDEXES) await buildIndex(runner, index);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of INDEXES) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
