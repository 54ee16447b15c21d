import { Injectable } from '@nestjs/common';
import { Database, statement, inGivenMonths } from '@kinora/database';
import type { Cursor } from '../job/cursor';
import { readByMonth } from '../job/read-by-month';
import { SHOWN_JOB_COLUMNS, type ShownJobRow } from '../job/job.entity';

/** The conditions of the index of videos (`job_listed_video`). The planner chooses it only for a constant kind. */
const listOf = (isAfter: string, direction: string): string =>
  `SELECT ${SHOWN_JOB_COLUMNS.sql} FROM job
    WHERE account_id = $1 AND kind = 'video.generation' AND content_deleted_at IS NULL AND ${inGivenMonths('id')}
      AND (created_at, id) ${isAfter}
    ORDER BY created_at ${direction}, id ${direction} LIMIT $4`;

const LIST_NEWEST = statement(
  'job_list_newest_videos',
  listOf(
    `< (coalesce($2::timestamptz, 'infinity'), coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))`,
    'DESC',
  ),
  { mayBeStale: true },
);

const LIST_OLDEST = statement(
  'job_list_oldest_videos',
  listOf(
    `> (coalesce($2::timestamptz, '-infinity'), coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))`,
    'ASC',
  ),
  { mayBeStale: true },
);

/** The videos of an account among its jobs, by the time of their creation, without those whose content is deleted. */
@Injectable()
export class VideoListRepository {
  constructor(private readonly database: Database) {}

  list(
    accountId: string,
    { after, order, limit }: { after: Cursor | null; order: 'asc' | 'desc'; limit: number },
  ): Promise<ShownJobRow[]> {
    const values = [accountId, after?.createdAt ?? null, after?.id ?? null, limit];
    const listed = { accountId, status: null, model: null, order, after, limit };
    return readByMonth(this.database, listed, (months) =>
      this.database.query<ShownJobRow>(order === 'asc' ? LIST_OLDEST : LIST_NEWEST, values, months),
    );
  }
}
