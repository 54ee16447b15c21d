import { boundFirstPartition, type RangedTable, unboundFirstPartition } from '@kinora/database/without-nest';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export const LEDGER: RangedTable = { table: 'ledger_entry', key: 'id', primaryKey: 'id' };

/** Until then the table takes every entry, also if the next migrations run much later: four months, and never few. */
const FIND_END = `
  SELECT coalesce(max(id), 0) + greatest(10000000, 4 * (
           SELECT coalesce(sum(entries), 0) FROM ledger_hour WHERE hour >= now() - interval '30 days')) AS id
    FROM ledger_entry`;

/**
 * Why: a table becomes a partition without being read under a lock, if a valid check says that its rows belong there. An index of a
 * partition cannot be unique across them: references and payments of entries are unique in a narrow table, which a trigger writes,
 * and moves of jobs by their holds.
 * Lock: ledger_entry, payment and wallet, for a moment; statements that move money lock them in several orders, so the migration gives up
 * before it would deadlock with one, and tries again. An entry's foreign keys would lock the wallets when a partition is dropped.
 * Way back: drops the table and the check. The foreign keys are not validated, which would lock the wallets.
 */
export class BoundFirstLedgerEntries1795962600000 implements MigrationInterface {
  name = 'BoundFirstLedgerEntries1795962600000';

  async up(runner: QueryRunner): Promise<void> {
    const [end] = (await runner.query(FIND_END)) as { id: string }[];
    await runner.query(`
      CREATE TABLE ledger_reference (
        account_id uuid NOT NULL,
        -- Of the entry, or 'payment ' and the id of its payment.
        reference text NOT NULL,
        entry_id bigint NOT NULL,
        PRIMARY KEY (account_id, reference)
      );
      CREATE FUNCTION keep_ledger_references() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO ledger_reference
        SELECT NEW.account_id, name, NEW.id FROM unnest(ARRAY[NEW.reference, 'payment ' || NEW.payment_id]) AS name
         WHERE name IS NOT NULL;
        RETURN NULL;
      END $$;
      CREATE TRIGGER ledger_entry_keeps_references AFTER INSERT ON ledger_entry
        FOR EACH ROW WHEN (NEW.reference IS NOT NULL OR NEW.payment_id IS NOT NULL) EXECUTE FUNCTION keep_ledger_references();
      ALTER TABLE ledger_entry
        DROP CONSTRAINT ledger_entry_account_id_fkey,
        DROP CONSTRAINT ledger_entry_payment_id_fkey`);
    await boundFirstPartition(runner, LEDGER, end?.id ?? '10000000');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ledger_entry
        ADD FOREIGN KEY (account_id) REFERENCES wallet NOT VALID,
        ADD FOREIGN KEY (payment_id) REFERENCES payment NOT VALID;
      DROP TRIGGER ledger_entry_keeps_references ON ledger_entry;
      DROP FUNCTION keep_ledger_references();
      DROP TABLE ledger_reference;
      ${unboundFirstPartition(LEDGER)}`);
  }
}
