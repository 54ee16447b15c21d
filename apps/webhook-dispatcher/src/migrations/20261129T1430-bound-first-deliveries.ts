import { boundFirstPartition, type RangedTable, unboundFirstPartition } from '@kinora/database/without-nest';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export const MONTHLY_TABLES: readonly RangedTable[] = [
  { table: 'delivery', key: 'id', primaryKey: 'id' },
  { table: 'attempt', key: 'delivery_id', primaryKey: 'delivery_id, number' },
];

export const RECORD_EVENTS = `
  CREATE FUNCTION record_delivery_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO delivery_event (event_id, delivery_id) VALUES (NEW.event_id, NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE TRIGGER delivery_event_is_recorded AFTER INSERT ON delivery FOR EACH ROW
    WHEN (NEW.redelivery_of IS NULL) EXECUTE FUNCTION record_delivery_event()`;
export const RECORD_NO_EVENTS =
  'DROP TRIGGER delivery_event_is_recorded ON delivery; DROP FUNCTION record_delivery_event';

/**
 * Why: a table becomes a partition without being read under a lock, if a valid check says that its rows belong there. An index over
 * partitions cannot make an event unique, so its first delivery is recorded in a table; until the swap, a trigger records new ones.
 * Lock: delivery and attempt, for a moment; their rows are checked and recorded by the next migration.
 * Way back: drops the checks, the trigger and the table.
 */
export class BoundFirstDeliveries1795962600000 implements MigrationInterface {
  name = 'BoundFirstDeliveries1795962600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of MONTHLY_TABLES) await boundFirstPartition(runner, table);
    await runner.query(`
      CREATE TABLE delivery_event (event_id text PRIMARY KEY, delivery_id uuid NOT NULL) WITH (autovacuum_vacuum_scale_factor = 0.05);
      -- Events are pruned in the order in which they arrived.
      CREATE INDEX delivery_event_by_age ON delivery_event (delivery_id);
      ${RECORD_EVENTS}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${RECORD_NO_EVENTS}; DROP TABLE delivery_event`);
    for (const table of MONTHLY_TABLES) await runner.query(unboundFirstPartition(table));
  }
}
