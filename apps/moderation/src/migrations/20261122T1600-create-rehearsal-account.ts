import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: five rehearsed blocks with the test image suspended the demo account of a local stack. An operator names the accounts
 * for which a block of moderation's own test material is no strike.
 * Lock: none, the table is new. Way back: drop it; every block is a strike again.
 */
export class CreateRehearsalAccount1795363200000 implements MigrationInterface {
  name = 'CreateRehearsalAccount1795363200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE rehearsal_account (
        account_id uuid PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rehearsal_account');
  }
}
