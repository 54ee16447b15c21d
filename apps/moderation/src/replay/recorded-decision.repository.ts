import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import type { ReplayableDecision } from './count-changes';

/** Ids are ordered by time, so that a page is one short range of the primary key, however many decisions there are. */
const READ_BACK = statement(
  'decision_read_back',
  `SELECT id AS decision_id, stage, verdict, engine, reason, content_sha256, texts, engines, findings, created_at
     FROM decision WHERE id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $2`,
);

/** Decisions as they were recorded, page by page, back in time. */
@Injectable()
export class RecordedDecisionRepository {
  constructor(private readonly database: Database) {}

  /** Those before the given one, newest first; the newest of all without one. */
  readBack(before: string | null, limit: number): Promise<(ReplayableDecision & { created_at: Date })[]> {
    return this.database.query(READ_BACK, [before, limit]);
  }
}
