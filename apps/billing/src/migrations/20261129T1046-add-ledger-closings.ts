import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the books of a month close: what its entries add up to is kept, and compared with them.
 * Lock: none, the tables are new.
 * Way back: down(); the service closes every month again after the next up().
 */
export class AddLedgerClosings1795949160000 implements MigrationInterface {
  name = 'AddLedgerClosings1795949160000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ledger_month (
        -- In UTC, such as 2026-11.
        month text PRIMARY KEY CHECK (month ~ '^\\d{4}-\\d{2}$'),
        -- The month has the entries from the end of the month before up to this id, which is not its own.
        end_id bigint NOT NULL,
        -- Up to here, in the order of their ids, accounts have their closing.
        after_account_id uuid NOT NULL,
        closed_at timestamptz
      );
      CREATE TABLE ledger_closing (
        account_id uuid NOT NULL REFERENCES wallet,
        month text NOT NULL REFERENCES ledger_month,
        last_entry_id bigint NOT NULL,
        entries bigint NOT NULL CHECK (entries > 0),
        books jsonb NOT NULL,
        open_holds jsonb NOT NULL,
        chain text NOT NULL,
        PRIMARY KEY (account_id, month)
      );
      CREATE INDEX ledger_closing_of_month ON ledger_closing (month, account_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ledger_closing, ledger_month');
  }
}
