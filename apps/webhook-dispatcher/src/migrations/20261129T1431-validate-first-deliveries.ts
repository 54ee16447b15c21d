import { validateFirstPartition } from '@kinora/database/without-nest';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MONTHLY_TABLES } from './20261129T1430-bound-first-deliveries';

/**
 * Why: every delivery and every attempt belongs to the first partition, and every event that has a delivery is recorded.
 * Lock: none that blocks reads or writes; it reads both tables. Interrupted, it runs again from the beginning.
 * Way back: none is needed.
 */
export class ValidateFirstDeliveries1795962660000 implements MigrationInterface {
  name = 'ValidateFirstDeliveries1795962660000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of MONTHLY_TABLES) await runner.query(validateFirstPartition(table));
    await runner.query(`
      INSERT INTO delivery_event (event_id, delivery_id)
      SELECT event_id, id FROM delivery WHERE redelivery_of IS NULL ON CONFLICT DO NOTHING`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT 1');
  }
}
