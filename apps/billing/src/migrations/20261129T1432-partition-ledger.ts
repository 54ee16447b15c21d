import { joinPartitions, partitionByRange } from '@kinora/database/without-nest';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LEDGER } from './20261129T1430-bound-first-ledger-entries';

const GUARD = 'ledger_entry_is_append_only';

/** As `LedgerRanges` does for later ranges. */
const refuseChangesOf = (table: string): string => `
  REVOKE UPDATE, DELETE, TRUNCATE ON ${table} FROM PUBLIC, CURRENT_USER;
  CREATE TRIGGER ${GUARD} BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${GUARD}`;

/** Under the lock of the table, no id is drawn in between. LOCK TABLE needs rights that are revoked from the owner too. */
const TAKE_IDENTITY = `
  DO $$ BEGIN
    ALTER TABLE ledger_entry ALTER COLUMN id SET NOT NULL;
    PERFORM set_config('kinora.next_id', (SELECT last_value + is_called::integer FROM ledger_entry_id_seq)::text, true);
    ALTER TABLE ledger_entry ALTER COLUMN id DROP IDENTITY;
  END $$`;
const GIVE_IDENTITY = `
  DO $$ BEGIN
    EXECUTE format('ALTER TABLE ledger_entry ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (START WITH %s)',
                   current_setting('kinora.next_id'));
  END $$`;

/**
 * Why: indexes stay small, and old entries can be dropped as a whole.
 * Lock: ledger_entry, for milliseconds; no row is read. The identity moves to the partitioned table.
 * Way back: while there is a first partition, it takes the rows of the later ones, which locks the table while they are copied.
 */
export class PartitionLedger1795962720000 implements MigrationInterface {
  name = 'PartitionLedger1795962720000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE partition_lease (table_name text PRIMARY KEY, begun_at timestamptz NOT NULL)');
    await runner.query(TAKE_IDENTITY);
    await partitionByRange(runner, LEDGER);
    await runner.query(`
      DROP TRIGGER ${GUARD} ON ledger_entry;
      ${refuseChangesOf('ledger_entry')};
      ${refuseChangesOf('ledger_entry_first')};
      ${GIVE_IDENTITY}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE partition_lease');
    await runner.query(`${TAKE_IDENTITY}; DROP TRIGGER ${GUARD} ON ledger_entry_first`);
    await joinPartitions(runner, LEDGER);
    await runner.query(`DROP TRIGGER ${GUARD} ON ledger_entry; ${refuseChangesOf('ledger_entry')}; ${GIVE_IDENTITY}`);
  }
}
