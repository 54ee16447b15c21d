import { validateFirstPartition } from '@kinora/database/without-nest';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LEDGER } from './20261129T1430-bound-first-ledger-entries';

/**
 * Why: every entry belongs to the first partition, and its references to the narrow table.
 * Lock: none that blocks reads or writes; it reads the whole table. A trigger writes the references of entries since.
 * Way back: none is needed.
 */
export class ValidateFirstLedgerEntries1795962660000 implements MigrationInterface {
  name = 'ValidateFirstLedgerEntries1795962660000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO ledger_reference
      SELECT account_id, reference, id FROM ledger_entry WHERE reference IS NOT NULL
       UNION ALL
      SELECT account_id, 'payment ' || payment_id, id FROM ledger_entry WHERE payment_id IS NOT NULL
      ON CONFLICT DO NOTHING`);
    await runner.query(validateFirstPartition(LEDGER));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT 1');
  }
}
