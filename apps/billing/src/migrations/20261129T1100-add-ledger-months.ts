import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the statement of a month read all newer entries.
 * Lock: none, the table is new.
 * Way back: drops the table; statements of months then read more.
 */
export class AddLedgerMonths1795950000000 implements MigrationInterface {
  name = 'AddLedgerMonths1795950000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ledger_month (
        account_id uuid NOT NULL REFERENCES wallet,
        month timestamptz NOT NULL,
        first_entry_id bigint NOT NULL,
        last_entry_id bigint NOT NULL,
        available_micros bigint NOT NULL,
        PRIMARY KEY (account_id, month)
      ) WITH (fillfactor = 70)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ledger_month');
  }
}
