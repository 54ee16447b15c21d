import { buildIndex } from '@kinora/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = [
  {
    name: 'job_content_to_delete',
    definition:
      'ON job ((coalesce(content_retry_at, content_deleted_at))) WHERE content_deleted_at IS NOT NULL AND webhook_url IS NOT NULL',
  },
  {
    name: 'job_listed_video',
    definition: `ON job (account_id, created_at DESC, id DESC) WHERE kind = 'video.generation' AND content_deleted_at IS NULL`,
  },
];

/**
 * Why: the sweep of deletions reads the jobs whose deliveries still have content, and a list of videos skips deleted ones, however many
 * there are. `job_video` has deleted ones too, and serves the builds before this one. Lock: none that a statement waits for.
 * Repeatable as a whole. Way back: drop the indexes.
 */
export class IndexDeletedContent1795410780000 implements MigrationInterface {
  name = 'IndexDeletedContent1795410780000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await buildIndex(runner, index);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of INDEXES) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
