import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the entries of an archived month can be dropped, because what is read of them later is kept: the hash of their file, the chain
 * of checkpoints, the entries of holds, and what references moved. Each column is empty before.
 * Lock: ledger_month, ledger_closing, ledger_reference and hold, for milliseconds; no row is read. The check needs no validation: no month
 * is archived yet.
 * Way back: down(), before a month is archived. Later, entries would be missed.
 */
export class ArchiveLedgerMonths1795973700000 implements MigrationInterface {
  name = 'ArchiveLedgerMonths1795973700000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ledger_month
        -- Of the file with its entries.
        ADD COLUMN archive_sha256 text,
        -- Since then the entries are read from the file only.
        ADD COLUMN archived_at timestamptz,
        ADD CONSTRAINT ledger_month_is_exported CHECK (archived_at IS NULL OR archive_sha256 IS NOT NULL) NOT VALID;
      ALTER TABLE ledger_closing
        -- Of the checkpoint, up to the last entry.
        ADD COLUMN checkpoint_chain text,
        ADD COLUMN charged_jobs bigint;
      ALTER TABLE ledger_reference
        ADD COLUMN kind text,
        -- Negative if it left the account.
        ADD COLUMN amount_micros bigint;
      ALTER TABLE hold
        ADD COLUMN reserve_entry_id bigint,
        ADD COLUMN reserve_entry_at timestamptz,
        ADD COLUMN end_entry_id bigint,
        ADD COLUMN end_entry_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE hold
        DROP COLUMN reserve_entry_id, DROP COLUMN reserve_entry_at, DROP COLUMN end_entry_id, DROP COLUMN end_entry_at;
      ALTER TABLE ledger_reference DROP COLUMN kind, DROP COLUMN amount_micros;
      ALTER TABLE ledger_closing DROP COLUMN checkpoint_chain, DROP COLUMN charged_jobs;
      ALTER TABLE ledger_month DROP COLUMN archive_sha256, DROP COLUMN archived_at`);
  }
}
