import { Injectable } from '@nestjs/common';
import { Database, daysAfter, inGivenMonths, monthsOfRows, statement, timeOfId } from '@kinora/database';
import type { ReplayableDecision } from './replay-decision';

/** Ids are ordered by time, so a page is one short range of the primary key, however many decisions there are. */
const READ_BACK = statement(
  'decision_read_back',
  `SELECT id AS decision_id, stage, verdict, engine, reason, content_sha256, texts, engines, findings, created_at
     FROM decision WHERE id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AND ${inGivenMonths('id')}
    ORDER BY id DESC LIMIT $2`,
);

const READ_BACK_DAYS = 7;

type RecordedDecision = ReplayableDecision & { created_at: Date };

/** Reads recorded decisions page by page, newest first. */
@Injectable()
export class RecordedDecisionRepository {
  constructor(private readonly database: Database) {}

  /**
   * The decisions before the given one, newest first; from the newest one on where `before` is null. Of the latest days, and of all
   * months only if those do not fill the page.
   */
  async readBack(before: string | null, limit: number): Promise<RecordedDecision[]> {
    const newest = before === null ? new Date() : timeOfId(before);
    const latest = monthsOfRows(daysAfter(newest, -READ_BACK_DAYS), newest);
    const rows = await this.database.query<RecordedDecision>(READ_BACK, [before, limit], latest);
    return rows.length === limit ? rows : this.database.query<RecordedDecision>(READ_BACK, [before, limit]);
  }
}
