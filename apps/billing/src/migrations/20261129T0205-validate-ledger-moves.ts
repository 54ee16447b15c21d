import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the wider checks hold for every row.
 * Lock: none that blocks writes; it reads the whole ledger.
 * Way back: none is needed.
 */
export class ValidateLedgerMoves1795917900000 implements MigrationInterface {
  name = 'ValidateLedgerMoves1795917900000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ledger_entry VALIDATE CONSTRAINT ledger_entry_is_known_move;
      ALTER TABLE ledger_entry VALIDATE CONSTRAINT ledger_entry_has_job;
      ALTER TABLE wallet VALIDATE CONSTRAINT wallet_owed_micros_check`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT 1`);
  }
}
