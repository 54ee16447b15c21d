import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: customers pay in by a page of the payment provider. A checkout is stored before the page is opened, and credited once.
 * Lock: none, the tables are new.
 * Way back: drops the tables; entries of the ledger that name a checkout stay.
 */
export class AddCheckouts1795916340000 implements MigrationInterface {
  name = 'AddCheckouts1795916340000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE checkout (
        -- Also the provider's idempotency key.
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES account,
        provider text NOT NULL,
        amount_micros bigint NOT NULL CHECK (amount_micros > 0 AND amount_micros % 10000 = 0),
        saves_card boolean NOT NULL,
        address text NOT NULL,
        state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'expired', 'refused')),
        reference text,
        url text,
        charge text,
        invoice_url text,
        checks integer NOT NULL DEFAULT 0,
        looked_up_at timestamptz,
        next_check_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        CONSTRAINT checkout_has_ended CHECK ((state = 'open') = (ended_at IS NULL)),
        CONSTRAINT checkout_has_charge CHECK ((state = 'paid') = (charge IS NOT NULL))
      );
      CREATE INDEX checkout_of_account ON checkout (account_id, created_at);
      -- Card testing: how many checkouts one address has begun.
      CREATE INDEX checkout_of_address ON checkout (address, created_at);
      -- Events of the provider name the page, disputes the charge.
      CREATE UNIQUE INDEX checkout_of_reference ON checkout (reference) WHERE reference IS NOT NULL;
      CREATE UNIQUE INDEX checkout_of_charge ON checkout (charge) WHERE charge IS NOT NULL;
      CREATE INDEX checkout_open ON checkout (next_check_at) WHERE ended_at IS NULL;
      CREATE TABLE payment_customer (
        account_id uuid NOT NULL REFERENCES account,
        provider text NOT NULL,
        customer text NOT NULL,
        PRIMARY KEY (account_id, provider)
      );
      -- Below which balance a customer is warned, and since when it is.
      CREATE TABLE balance_alert (
        account_id uuid PRIMARY KEY REFERENCES wallet,
        threshold_micros bigint NOT NULL CHECK (threshold_micros > 0),
        crossed_at timestamptz
      );
      -- The books of the sandbox provider, which a real provider keeps itself.
      CREATE TABLE sandbox_checkout (
        reference text PRIMARY KEY,
        payment_id uuid NOT NULL UNIQUE,
        account_id uuid NOT NULL,
        customer text NOT NULL,
        amount_micros bigint NOT NULL,
        saves_card boolean NOT NULL,
        return_url text NOT NULL,
        expires_at timestamptz NOT NULL,
        paid_with text,
        paid_at timestamptz
      );
      CREATE INDEX sandbox_checkout_paid ON sandbox_checkout (paid_at) WHERE paid_at IS NOT NULL;
      CREATE TABLE sandbox_card (
        id text PRIMARY KEY,
        customer text NOT NULL,
        card text NOT NULL,
        UNIQUE (customer, card)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sandbox_card, sandbox_checkout, balance_alert, payment_customer, checkout');
  }
}
