import { validateFirstPartition } from '@kinora/database/without-nest';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MONTHLY_TABLES } from './20261129T1100-bound-first-jobs';

/**
 * Why: every job and every attempt belongs to the first partition.
 * Lock: none that blocks reads or writes; it reads both tables.
 * Way back: none is needed.
 */
export class ValidateFirstJobs1795950060000 implements MigrationInterface {
  name = 'ValidateFirstJobs1795950060000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of MONTHLY_TABLES) await runner.query(validateFirstPartition(table));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT 1');
  }
}
