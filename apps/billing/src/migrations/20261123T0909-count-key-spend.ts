import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: customers see what each of their keys has spent. A hold now names its key, and a capture adds to the sum of the key's
 * day, so that a page reads sums and never the ledger. Jobs that were reserved or captured by the release before are in no
 * sum: during an upgrade the sums are too low, and they begin with it.
 * Lock: ACCESS EXCLUSIVE on hold for a moment; the column has no default, so no row is rewritten.
 * Way back: down(), after the code that writes the column is gone.
 */
export class CountKeySpend1795424940000 implements MigrationInterface {
  name = 'CountKeySpend1795424940000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE hold ADD COLUMN api_key_id uuid');
    await runner.query(`
      CREATE TABLE key_spend_day (
        account_id     uuid NOT NULL,
        day            date NOT NULL,
        api_key_id     uuid NOT NULL,
        jobs           bigint NOT NULL,
        charged_micros bigint NOT NULL,
        PRIMARY KEY (account_id, day, api_key_id)
      ) WITH (fillfactor = 70)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE key_spend_day');
    await runner.query('ALTER TABLE hold DROP COLUMN api_key_id');
  }
}
