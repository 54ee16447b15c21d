import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: payments go back, by an operator or by the bank of the customer.
 * Lock: none, the tables are new.
 * Way back: drops the tables; entries of the ledger that name their rows stay.
 */
export class AddReversals1795917840000 implements MigrationInterface {
  name = 'AddReversals1795917840000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payment_refund (
        -- Also the provider's idempotency key.
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES wallet,
        -- A checkout or a payment.
        payment_id uuid NOT NULL,
        provider text NOT NULL,
        charge text NOT NULL,
        amount_micros bigint NOT NULL CHECK (amount_micros > 0 AND amount_micros % 10000 = 0),
        state text NOT NULL DEFAULT 'begun' CHECK (state IN ('begun', 'succeeded', 'failed')),
        reference text,
        failure text,
        checks integer NOT NULL DEFAULT 0,
        next_check_at timestamptz NOT NULL DEFAULT now(),
        created_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        CONSTRAINT payment_refund_has_ended CHECK ((state = 'begun') = (ended_at IS NULL)),
        CONSTRAINT payment_refund_says_why CHECK ((state = 'failed') = (failure IS NOT NULL))
      );
      CREATE INDEX payment_refund_of_payment ON payment_refund (payment_id);
      CREATE INDEX payment_refund_of_reference ON payment_refund (reference) WHERE reference IS NOT NULL;
      CREATE INDEX payment_refund_open ON payment_refund (next_check_at) WHERE ended_at IS NULL;
      CREATE TABLE dispute (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES wallet,
        payment_id uuid NOT NULL,
        provider text NOT NULL,
        reference text NOT NULL,
        amount_micros bigint NOT NULL CHECK (amount_micros > 0),
        state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'won', 'lost')),
        created_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        CONSTRAINT dispute_has_ended CHECK ((state = 'open') = (ended_at IS NULL))
      );
      CREATE UNIQUE INDEX dispute_of_reference ON dispute (reference);
      CREATE INDEX dispute_of_payment ON dispute (payment_id);
      CREATE INDEX dispute_open ON dispute (created_at) WHERE ended_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE dispute, payment_refund`);
  }
}
