import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: accounts may be charged automatically when their balance is low.
 * Lock: ACCESS EXCLUSIVE on ledger_entry for a moment; the new column is null, so no row is rewritten.
 * Way back: drop the tables and the column; payments stay in the ledger like other top-ups.
 */
export class CreatePayment1795185600000 implements MigrationInterface {
  name = 'CreatePayment1795185600000';

  async up(runner: QueryRunner): Promise<void> {
    await createAutoRecharge(runner);
    await createPayment(runner);
    await runner.query(`
      ALTER TABLE ledger_entry
        ADD COLUMN payment_id uuid CONSTRAINT ledger_entry_once_per_payment UNIQUE REFERENCES payment,
        ADD CONSTRAINT ledger_entry_pays_in CHECK (payment_id IS NULL OR kind = 'top_up')`);
    // The records of the sandbox provider, which a real provider keeps itself. They must survive a restart.
    await runner.query(`
      CREATE TABLE sandbox_payment (
        reference     text PRIMARY KEY,
        payment_id    uuid NOT NULL UNIQUE,
        method        text NOT NULL,
        amount_micros bigint NOT NULL,
        state         text NOT NULL DEFAULT 'unpaid' CHECK (state IN ('unpaid', 'paid', 'declined')),
        -- How many charge requests arrived.
        requests      integer NOT NULL DEFAULT 0
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ledger_entry DROP COLUMN payment_id');
    await runner.query('DROP TABLE sandbox_payment, payment, auto_recharge');
  }
}

async function createAutoRecharge(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE auto_recharge (
      account_id         uuid PRIMARY KEY REFERENCES account,
      enabled            boolean NOT NULL,
      threshold_micros   bigint NOT NULL CHECK (threshold_micros > 0),
      amount_micros      bigint NOT NULL CHECK (amount_micros > 0),
      monthly_cap_micros bigint CHECK (monthly_cap_micros >= amount_micros),
      payment_method     text NOT NULL,
      customer           text,
      -- Consecutive failures since the last successful charge or the last setup by an operator.
      failures           integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
      retry_at           timestamptz NOT NULL DEFAULT now(),
      stopped_reason     text,
      CONSTRAINT auto_recharge_stops CHECK (NOT (enabled AND stopped_reason IS NOT NULL))
    )`);
  await runner.query('CREATE INDEX auto_recharge_enabled ON auto_recharge (account_id) WHERE enabled');
}

async function createPayment(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE payment (
      -- Also the provider's idempotency key.
      id             uuid PRIMARY KEY,
      account_id     uuid NOT NULL REFERENCES auto_recharge,
      provider       text NOT NULL,
      amount_micros  bigint NOT NULL CHECK (amount_micros > 0),
      payment_method text NOT NULL,
      customer       text,
      -- Begun: no charge was sent. Unknown: the charge was sent, and its outcome is not known yet.
      state          text NOT NULL DEFAULT 'begun' CHECK (state IN ('begun', 'unknown', 'succeeded', 'failed')),
      -- The provider's id of the charge.
      reference      text,
      failure        text,
      checks         integer NOT NULL DEFAULT 0,
      next_check_at  timestamptz NOT NULL DEFAULT now(),
      created_at     timestamptz NOT NULL DEFAULT now(),
      ended_at       timestamptz,
      CONSTRAINT payment_was_opened CHECK (reference IS NOT NULL OR state IN ('begun', 'failed')),
      CONSTRAINT payment_has_ended CHECK ((state IN ('succeeded', 'failed')) = (ended_at IS NOT NULL)),
      CONSTRAINT payment_says_why CHECK ((state = 'failed') = (failure IS NOT NULL))
    )`);
  // An account is never charged while the outcome of its previous charge is unknown.
  await runner.query(`CREATE UNIQUE INDEX payment_one_at_a_time ON payment (account_id) WHERE ended_at IS NULL`);
  await runner.query('CREATE INDEX payment_open ON payment (next_check_at) WHERE ended_at IS NULL');
  await runner.query('CREATE INDEX payment_of_account ON payment (account_id, created_at)');
}
