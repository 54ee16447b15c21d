import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a verification of the ledger read every account's whole history in one statement. Checkpoints keep the sums of an
 * account's entries up to one of them, with a hash chain over all before it. So a run reads only new entries, and a full
 * run detects a changed old entry.
 * Lock: none, the table is new. Way back: drop it; the next run reads all entries again.
 */
export class KeepLedgerCheckpoints1795357800000 implements MigrationInterface {
  name = 'KeepLedgerCheckpoints1795357800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ledger_checkpoint (
        account_id       uuid PRIMARY KEY REFERENCES wallet,
        -- The last counted entry. Entry ids of an account are drawn under its wallet's lock, so no entry with an earlier id is added later.
        entry_id         bigint NOT NULL,
        entries          bigint NOT NULL,
        available_micros bigint NOT NULL,
        held_micros      bigint NOT NULL,
        revenue_micros   bigint NOT NULL,
        top_ups_micros   bigint NOT NULL,
        credits_micros   bigint NOT NULL,
        chain            text NOT NULL,
        checked_at       timestamptz NOT NULL DEFAULT clock_timestamp()
      ) WITH (fillfactor = 70)`);
    await runner.query(`
      CREATE FUNCTION link_ledger_entry(chain text, start text, entry text) RETURNS text LANGUAGE sql STABLE AS
      $$ SELECT encode(sha256(convert_to(coalesce(chain, start) || entry, 'UTF8')), 'hex') $$`);
    await runner.query('CREATE AGGREGATE chain_ledger_entries(text, text) (SFUNC = link_ledger_entry, STYPE = text)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP AGGREGATE chain_ledger_entries(text, text)');
    await runner.query('DROP FUNCTION link_ledger_entry');
    await runner.query('DROP TABLE ledger_checkpoint');
  }
}
