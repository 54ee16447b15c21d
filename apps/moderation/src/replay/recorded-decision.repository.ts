import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import type { ReplayableDecision } from './replay-decision';

/** Ids are ordered by time, so a page is one short range of the primary key, however many decisions there are. */
const READ_BACK = statement(
  'decision_read_back',
  `SELECT id AS decision_id, stage, verdict, engine, reason, content_sha256, texts, engines, findings, created_at
     FROM decision WHERE id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $2`,
);

/** Reads recorded decisions page by page, newest first. */
@Injectable()
export class RecordedDecisionRepository {
  constructor(private readonly database: Database) {}

  /** The decisions before the given one, newest first; from the newest one on where `before` is null. */
  readBack(before: string | null, limit: number): Promise<(ReplayableDecision & { created_at: Date })[]> {
    return this.database.query(READ_BACK, [before, limit]);
  }
}
