import { firstIdOf, monthAfter } from '@kinora/database/without-nest';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until then the table takes every decision, also if the next migrations run much later. */
const MONTHS = 4;

/**
 * Why: a table becomes a partition without being read under a lock, if a valid check says that its rows belong there.
 * Lock: decision, for a moment; its rows are checked by the next migration.
 * Way back: drops the check.
 */
export class BoundFirstDecisions1795939200000 implements MigrationInterface {
  name = 'BoundFirstDecisions1795939200000';

  async up(runner: QueryRunner): Promise<void> {
    const end = firstIdOf(monthAfter(new Date(), MONTHS));
    await runner.query(
      `ALTER TABLE decision ADD CONSTRAINT decision_in_first_partition CHECK (id < '${end}'::uuid) NOT VALID`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE decision DROP CONSTRAINT IF EXISTS decision_in_first_partition');
  }
}
