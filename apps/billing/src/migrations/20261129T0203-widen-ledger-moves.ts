import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: refunds of payments, disputes, and the debts that they leave are moves of the ledger.
 * Lock: the table, for a moment; the rows are checked by the next migration but one.
 * Way back: the narrower checks, while the ledger has no such move.
 */
export class WidenLedgerMoves1795917780000 implements MigrationInterface {
  name = 'WidenLedgerMoves1795917780000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ledger_entry
        DROP CONSTRAINT ledger_entry_is_known_move,
        ADD CONSTRAINT ledger_entry_is_known_move CHECK (kind || ' ' || debit || ' ' || credit IN (
          'top_up top_ups available', 'credit credits available', 'adjustment credits available',
          'adjustment available credits', 'reserve available held', 'capture held revenue', 'refund held available',
          'payment_refund available top_ups', 'payment_refund top_ups available', 'dispute available top_ups',
          'dispute debts top_ups', 'dispute top_ups available', 'dispute top_ups debts', 'debt_payment available debts'
        )) NOT VALID,
        DROP CONSTRAINT ledger_entry_has_job,
        ADD CONSTRAINT ledger_entry_has_job CHECK ((kind IN ('reserve', 'capture', 'refund')) = (job_id IS NOT NULL))
          NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ledger_entry
        DROP CONSTRAINT ledger_entry_is_known_move,
        ADD CONSTRAINT ledger_entry_is_known_move CHECK (kind || ' ' || debit || ' ' || credit IN (
          'top_up top_ups available', 'credit credits available', 'adjustment credits available',
          'adjustment available credits', 'reserve available held', 'capture held revenue', 'refund held available'
        )) NOT VALID,
        DROP CONSTRAINT ledger_entry_has_job,
        ADD CONSTRAINT ledger_entry_has_job CHECK ((kind IN ('top_up', 'credit', 'adjustment')) = (job_id IS NULL))
          NOT VALID`);
  }
}
