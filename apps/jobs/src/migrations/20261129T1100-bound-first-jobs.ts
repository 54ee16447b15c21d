import { boundFirstPartition, type RangedTable, unboundFirstPartition } from '@kinora/database/without-nest';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export const MONTHLY_TABLES: readonly RangedTable[] = [
  { table: 'job', key: 'id', primaryKey: 'id' },
  { table: 'attempt', key: 'job_id', primaryKey: 'job_id, number' },
];

/**
 * Why: a table becomes a partition without being read under a lock, if a valid check says that its rows belong there.
 * What a receipt states outlives the month of its job.
 * Lock: job and attempt, for a moment; their rows are checked by the next migration.
 * Way back: drops the checks and the facts.
 */
export class BoundFirstJobs1795950000000 implements MigrationInterface {
  name = 'BoundFirstJobs1795950000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of MONTHLY_TABLES) await boundFirstPartition(runner, table);
    await runner.query(`
      CREATE TABLE receipt_fact (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        kind text NOT NULL,
        model text NOT NULL,
        status text NOT NULL,
        error_code text,
        created_at timestamptz NOT NULL,
        started_at timestamptz,
        completed_at timestamptz NOT NULL,
        gpu_ms bigint,
        price_micros bigint NOT NULL,
        accepted_facts json,
        output json,
        passed_output_sha256 text[],
        quote_id text,
        input_decision_id uuid NOT NULL,
        output_decision_id uuid,
        attempts bigint NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE receipt_fact');
    for (const table of MONTHLY_TABLES) await runner.query(unboundFirstPartition(table));
  }
}
