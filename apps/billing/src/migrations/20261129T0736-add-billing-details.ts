import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: statements and receipts name the customer.
 * Lock: none, the table is new.
 * Way back: drops the table with what customers have written.
 */
export class AddBillingDetails1795937760000 implements MigrationInterface {
  name = 'AddBillingDetails1795937760000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE billing_details (
        account_id uuid PRIMARY KEY REFERENCES account,
        name text NOT NULL,
        address text NOT NULL,
        tax_id text
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE billing_details');
  }
}
