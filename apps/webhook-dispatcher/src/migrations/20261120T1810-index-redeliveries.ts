import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: a delivery is pruned only when no other delivery repeats it, and pruning checks that for each old one.
 * Lock: SHARE on delivery while its few redeliveries are indexed, so that writers wait; the table is read once.
 * Way back: down() drops the index.
 */
export class IndexRedeliveries1795198200000 implements MigrationInterface {
  name = 'IndexRedeliveries1795198200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX delivery_redelivery_of ON delivery (redelivery_of) WHERE redelivery_of IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX delivery_redelivery_of');
  }
}
