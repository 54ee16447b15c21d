import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: moderation's events can arrive out of order. A strike event that arrives after the strike was lifted must not
 * suspend. So the latest count of each account is kept, from either kind of event.
 * Lock: none, the table is new. Way back: drop it; accounts stay as they are.
 */
export class OrderStrikeStandings1795209600000 implements MigrationInterface {
  name = 'OrderStrikeStandings1795209600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE strike_standing (
        account_id    uuid PRIMARY KEY,
        strikes       integer NOT NULL,
        counted_at_us bigint NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE strike_standing');
  }
}
