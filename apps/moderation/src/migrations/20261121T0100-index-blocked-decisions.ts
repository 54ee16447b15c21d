import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: the list of blocked decisions read all passed decisions, which are nearly all rows. Passed decisions are in neither
 * index and cost nothing more. An append-only table is now vacuumed after a fixed number of inserts, so that rows are frozen
 * in small portions.
 * Lock: none that blocks reads or writes (CONCURRENTLY). Way back: down().
 */
export class IndexBlockedDecisions1795222800000 implements MigrationInterface {
  name = 'IndexBlockedDecisions1795222800000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const blocked = `WHERE verdict = 'blocked'`;
    await buildIndex(runner, { name: 'decision_blocked', definition: `ON decision (id) ${blocked}` });
    const ofAccount = `ON decision (account_id, id) ${blocked}`;
    await buildIndex(runner, { name: 'decision_blocked_of_account', definition: ofAccount });
    await runner.query(`
      ALTER TABLE decision SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE decision RESET (autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor)',
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS decision_blocked_of_account');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS decision_blocked');
  }
}
