import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: an operator's command that is repeated after a lost answer must not pay in twice, so an entry may bear the operator's
 * own reference, which each account has once.
 * Lock: ACCESS EXCLUSIVE on ledger_entry for the moment in which a column without a default is added; the index is built
 * beside the traffic. Way back: down(), which forgets the references.
 */
export class AddLedgerReference1795352400000 implements MigrationInterface {
  name = 'AddLedgerReference1795352400000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ledger_entry ADD COLUMN IF NOT EXISTS reference text');
    const named = 'ON ledger_entry (account_id, reference) WHERE reference IS NOT NULL';
    await buildIndex(runner, { name: 'ledger_entry_of_reference', definition: named, unique: true });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ledger_entry_of_reference');
    await runner.query('ALTER TABLE ledger_entry DROP COLUMN reference');
  }
}
