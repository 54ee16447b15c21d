import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: lists of videos read `job_listed_video`, and no statement reads `job_video` any more, yet each video is written into both.
 * Contracts: no release was the last to need it, because the index and the list came after the previous one. Lock: none that a
 * statement waits for. Repeatable as a whole. Way back: build the index again.
 */
export class DropVideoIndex1795425480000 implements MigrationInterface {
  name = 'DropVideoIndex1795425480000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS job_video');
  }

  async down(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'job_video',
      definition: `ON job (account_id, created_at DESC, id DESC) WHERE kind = 'video.generation'`,
    });
  }
}
