import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: an operator's command that is repeated after a lost response must not pay in twice. So an entry may have the
 * operator's own reference, which is unique per account.
 * Lock: ACCESS EXCLUSIVE on ledger_entry for a moment, for a column without a default; the index is built concurrently.
 * Way back: down(), which drops the references.
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
