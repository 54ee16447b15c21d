import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: stores money. The ledger is the source of truth. The same statement derives the wallet from it, so that one row
 * lock decides what may be reserved.
 * Lock: none, the tables are new. Way back: drop them. The ledger is dropped too, so only before the first account.
 */
export class CreateWallet1795165800000 implements MigrationInterface {
  name = 'CreateWallet1795165800000';

  async up(runner: QueryRunner): Promise<void> {
    await createWallet(runner);
    await createHold(runner);
    await createLedger(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ledger_entry, hold, wallet');
    await runner.query('DROP FUNCTION refuse_change');
  }
}

async function createWallet(runner: QueryRunner): Promise<void> {
  // Half-empty pages allow HOT updates: the row changes twice per job, and no index covers the changed columns.
  await runner.query(`
    CREATE TABLE wallet (
      account_id          uuid PRIMARY KEY REFERENCES account,
      available_micros    bigint NOT NULL DEFAULT 0 CHECK (available_micros >= 0),
      held_micros         bigint NOT NULL DEFAULT 0 CHECK (held_micros >= 0),
      spent_micros        bigint NOT NULL DEFAULT 0 CHECK (spent_micros >= 0),
      in_flight_jobs      bigint NOT NULL DEFAULT 0 CHECK (in_flight_jobs >= 0),
      -- In the same row as the count that it limits: a statement that waited for the row lock must read both in their current version.
      max_concurrent_jobs bigint NOT NULL CHECK (max_concurrent_jobs > 0),
      -- The largest integer that JavaScript represents exactly.
      CONSTRAINT wallet_is_countable CHECK (available_micros + held_micros + spent_micros <= 9007199254740991)
    ) WITH (fillfactor = 50)`);
}

async function createHold(runner: QueryRunner): Promise<void> {
  // References the wallet, not the account: the inserting statement has already locked the wallet's row.
  await runner.query(`
    CREATE TABLE hold (
      job_id        uuid PRIMARY KEY,
      account_id    uuid REFERENCES wallet,
      amount_micros bigint NOT NULL CHECK (amount_micros >= 0),
      state         text NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'captured', 'refunded', 'barred')),
      created_at    timestamptz NOT NULL DEFAULT now(),
      ended_at      timestamptz,
      CONSTRAINT hold_has_ended CHECK ((state = 'held') = (ended_at IS NULL)),
      -- Barred: refunded before it was reserved, so its account is unknown.
      CONSTRAINT hold_has_owner CHECK ((state = 'barred') = (account_id IS NULL))
    )`);
  await runner.query(`CREATE INDEX hold_open ON hold (account_id, job_id) WHERE state = 'held'`);
}

async function createLedger(runner: QueryRunner): Promise<void> {
  // A row is a transfer from one book to another, so debits always equal credits. Identities are drawn under the lock of
  // the wallet's row, so within an account their order is the order of events.
  await runner.query(`
    CREATE TABLE ledger_entry (
      id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account_id    uuid NOT NULL REFERENCES wallet,
      kind          text NOT NULL,
      debit         text NOT NULL,
      credit        text NOT NULL,
      amount_micros bigint NOT NULL,
      job_id        uuid,
      reason        text,
      created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
      CONSTRAINT ledger_entry_is_known_move CHECK ((kind, debit, credit) IN (
        ('top_up', 'top_ups', 'available'),
        ('reserve', 'available', 'held'),
        ('capture', 'held', 'revenue'),
        ('refund', 'held', 'available'))),
      -- A job of a free model has entries of 0.
      CONSTRAINT ledger_entry_moves_forward CHECK (amount_micros > 0 OR (amount_micros = 0 AND kind <> 'top_up')),
      CONSTRAINT ledger_entry_has_job CHECK ((kind = 'top_up') = (job_id IS NULL))
    )`);
  // One reserve per job, and one end: a capture or a refund.
  await runner.query(`CREATE UNIQUE INDEX ledger_entry_once_per_job ON ledger_entry (job_id, (kind = 'reserve'))
    WHERE job_id IS NOT NULL`);
  await runner.query('CREATE INDEX ledger_entry_of_account ON ledger_entry (account_id, id)');
  await runner.query(`
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only: a mistake is corrected by another entry', TG_TABLE_NAME
        USING ERRCODE = 'object_not_in_prerequisite_state';
    END $$`);
  await runner.query(`
    CREATE TRIGGER ledger_entry_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
}
