import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TAKES_PLACE_AT = `CASE WHEN state <> 'ended' AND state <> 'collecting' AND NOT parked THEN provider END`;

/**
 * Why: every claim counts the places that are taken at an instance. `attempt_due` also holds parked and collecting attempts,
 * which take no place, so a count read thousands of rows where ten places were taken. Lock: none that a statement waits for.
 * Repeatable as a whole. Way back: drop the index.
 */
export class IndexPlaces1795361400000 implements MigrationInterface {
  name = 'IndexPlaces1795361400000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'attempt_with_a_place',
      definition: `ON attempt ((${TAKES_PLACE_AT})) WHERE ${TAKES_PLACE_AT} IS NOT NULL`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS attempt_with_a_place');
  }
}
