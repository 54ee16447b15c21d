import { buildIndex } from '@kinora/database/without-nest';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: members are warned once before a saved card expires.
 * Lock: the table, for the moment in which its columns are added; the index is built while payments go on.
 * Way back: down().
 */
export class AddCardWarnings1795937700000 implements MigrationInterface {
  name = 'AddCardWarnings1795937700000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment_customer
        ADD COLUMN IF NOT EXISTS next_card_check_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN IF NOT EXISTS warned_cards text[] NOT NULL DEFAULT '{}'`);
    await buildIndex(runner, {
      name: 'payment_customer_card_check',
      definition: 'ON payment_customer (provider, next_card_check_at)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payment_customer DROP COLUMN next_card_check_at, DROP COLUMN warned_cards');
  }
}
