import { joinPartitions, partitionByRange } from '@kinora/database/without-nest';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MONTHLY_TABLES, RECORD_EVENTS, RECORD_NO_EVENTS } from './20261129T1430-bound-first-deliveries';

/**
 * Why: a month of deliveries and their attempts is dropped as a whole, and indexes stay small. Foreign keys would forbid that.
 * Lock: delivery and attempt, in the order of the statement that ends attempts, for milliseconds; no row is read. Until it is
 * replaced, a process of the earlier release cannot write new deliveries: the broker and the sweep give their events to another. It
 * answers a deletion of content with an error, and the sweep of `jobs` completes the deletion.
 * Way back: while there is a first partition, it takes the rows of the later ones, which locks the tables while they are copied.
 */
export class PartitionDeliveries1795962720000 implements MigrationInterface {
  name = 'PartitionDeliveries1795962720000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE delivery DROP CONSTRAINT delivery_redelivery_of_fkey;
      ALTER TABLE attempt DROP CONSTRAINT attempt_delivery_id_fkey;
      ${RECORD_NO_EVENTS};
      DROP INDEX delivery_first_of_event, delivery_redelivery_of`);
    for (const table of MONTHLY_TABLES) await partitionByRange(runner, table);
    await runner.query('CREATE TABLE partition_lease (table_name text PRIMARY KEY, begun_at timestamptz NOT NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE partition_lease');
    for (const table of MONTHLY_TABLES) await joinPartitions(runner, table);
    await runner.query(`
      CREATE UNIQUE INDEX delivery_first_of_event ON delivery (event_id) WHERE redelivery_of IS NULL;
      CREATE INDEX delivery_redelivery_of ON delivery (redelivery_of) WHERE redelivery_of IS NOT NULL;
      ALTER TABLE delivery ADD CONSTRAINT delivery_redelivery_of_fkey FOREIGN KEY (redelivery_of) REFERENCES delivery (id) NOT VALID;
      ALTER TABLE attempt ADD CONSTRAINT attempt_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES delivery (id) NOT VALID;
      ${RECORD_EVENTS}`);
  }
}
