import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: an account lists its videos by their time, however few they are among its jobs. Jobs of other kinds are not in the index and
 * cost nothing. Lock: none that a statement waits for. Repeatable as a whole. Way back: drop the index.
 */
export class IndexVideos1795397940000 implements MigrationInterface {
  name = 'IndexVideos1795397940000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'job_video',
      definition: `ON job (account_id, created_at DESC, id DESC) WHERE kind = 'video.generation'`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS job_video');
  }
}
