import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a dispute that the balance does not cover leaves a debt, in the row whose lock decides about the money.
 * Lock: the tables, for a moment.
 * Way back: drops the columns, while no account owes anything.
 */
export class AddDebts1795917720000 implements MigrationInterface {
  name = 'AddDebts1795917720000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE wallet
        ADD COLUMN owed_micros bigint NOT NULL DEFAULT 0,
        ADD CONSTRAINT wallet_owed_micros_check CHECK (owed_micros >= 0) NOT VALID;
      ALTER TABLE ledger_checkpoint ADD COLUMN debts_micros bigint NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ledger_checkpoint DROP COLUMN debts_micros;
      ALTER TABLE wallet DROP COLUMN owed_micros`);
  }
}
