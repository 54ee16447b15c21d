import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: accounts of a price group pay other prices.
 * Lock: for a moment, the column is empty. Way back: down(); all accounts pay the price list then.
 */
export class AddPriceGroups1795938060000 implements MigrationInterface {
  name = 'AddPriceGroups1795938060000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE account ADD COLUMN price_group text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE account DROP COLUMN price_group');
  }
}
