import type { MigrationInterface, QueryRunner } from 'typeorm';

const OTHER_MOVES = `'top_up top_ups available', 'credit credits available', 'adjustment credits available',
  'adjustment available credits', 'reserve available held', 'capture held revenue', 'refund held available',
  'payment_refund available top_ups', 'payment_refund top_ups available', 'dispute available top_ups',
  'dispute debts top_ups', 'dispute top_ups available', 'dispute top_ups debts', 'debt_payment available debts'`;

/**
 * Why: a refund that was made at the provider leaves a debt where the balance does not cover it, and stood as a lost dispute.
 * Lock: the table, for a moment; then none that blocks writes, while the whole ledger is read.
 * Way back: down(), while the ledger has no such move.
 */
export class LetRefundsOwe1795949100000 implements MigrationInterface {
  name = 'LetRefundsOwe1795949100000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await setMoves(runner, `${OTHER_MOVES}, 'payment_refund debts top_ups', 'payment_refund top_ups debts'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await setMoves(runner, OTHER_MOVES);
  }
}

/** Each statement is a transaction: the lock of the first one does not last while the second one reads. */
async function setMoves(runner: QueryRunner, moves: string): Promise<void> {
  await runner.query(`
    ALTER TABLE ledger_entry
      DROP CONSTRAINT ledger_entry_is_known_move,
      ADD CONSTRAINT ledger_entry_is_known_move CHECK (kind || ' ' || debit || ' ' || credit IN (${moves})) NOT VALID`);
  await runner.query('ALTER TABLE ledger_entry VALIDATE CONSTRAINT ledger_entry_is_known_move');
}
