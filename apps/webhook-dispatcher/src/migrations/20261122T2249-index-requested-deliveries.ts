import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = [
  { name: 'delivery_requested', definition: 'ON delivery (account_id, id) WHERE requested_by IS NOT NULL' },
  { name: 'delivery_of_host', definition: 'ON delivery (account_id, host, id)' },
];

/**
 * Why: the deliveries that keys of an account request are counted before each new one, and an account lists the deliveries
 * to one of its hosts. Both would read all deliveries of the account otherwise.
 * Lock: none that blocks a statement. Way back: drop the indexes.
 */
export class IndexRequestedDeliveries1795387740000 implements MigrationInterface {
  name = 'IndexRequestedDeliveries1795387740000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await buildIndex(runner, index);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of INDEXES) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
