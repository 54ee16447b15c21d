import { Injectable } from '@nestjs/common';
import { JOB_STATUSES, type JobKind, type JobStatus } from '@kinora/contracts/jobs/job';
import { Database, inGivenMonths, monthsOfRows, statement } from '@kinora/database';
import type { Cursor } from '../job/cursor';
import { monthsBack } from '../job/read-back';
import { SHOWN_JOB_COLUMNS, type ShownJobRow } from '../job/job.entity';

/** The number of jobs that one page reads at most. */
export const JOBS_SEARCHED_A_PAGE = 1_000;

/**
 * The page is merged from one short index range for each status, as the list of an account is, and its jobs are then looked up by
 * their ids: with the filters beside the ranges, the planner reads the whole index of the models. A GIN index of the words would be
 * written anew at each change of a job, and returns its rows in no order.
 */
const SEARCH = statement(
  'job_search',
  `WITH page AS MATERIALIZED (
     SELECT id, created_at FROM unnest($2::text[]) AS wanted(wanted_status) CROSS JOIN LATERAL (
       SELECT id, created_at FROM job
        WHERE account_id = $1 AND status = wanted_status AND created_at < coalesce($5::timestamptz, 'infinity')
          AND (created_at, id) < (coalesce($3::timestamptz, 'infinity'), coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
          AND created_at >= coalesce($6::timestamptz, '-infinity') AND ${inGivenMonths('id')}
        ORDER BY created_at DESC, id DESC LIMIT ${JOBS_SEARCHED_A_PAGE}) AS newest
      ORDER BY created_at DESC, id DESC LIMIT ${JOBS_SEARCHED_A_PAGE}
   ), found AS (
     SELECT job.* FROM page CROSS JOIN LATERAL (
       SELECT ${SHOWN_JOB_COLUMNS.sql} FROM job
        WHERE id = page.id AND created_at = page.created_at AND ${inGivenMonths('id')} AND kind = coalesce($7, kind) AND model = coalesce($8, model)
          AND input ->> 'prompt' ILIKE ALL ($9::text[])
       OFFSET 0) AS job
      ORDER BY created_at DESC, id DESC LIMIT $10
   )
   SELECT end_id, end_at, found.* FROM (SELECT true) AS always
     LEFT JOIN (SELECT id AS end_id, created_at AS end_at FROM page
                 ORDER BY created_at DESC, id DESC OFFSET ${JOBS_SEARCHED_A_PAGE - 1}) AS page_end ON true
     LEFT JOIN found ON true
    ORDER BY created_at DESC, id DESC`,
);

export interface JobSearchFilter {
  /** All of them are in the prompt. */
  words: string[];
  kind: JobKind | null;
  status: JobStatus | null;
  model: string | null;
  /** Inclusive. */
  from: Date | null;
  /** Exclusive. */
  to: Date | null;
  before: Cursor | null;
}

export interface FoundJobs {
  jobs: ShownJobRow[];
  /** The last job that was read; null if all were that are left. */
  end: Cursor | null;
}

type FoundRow = (ShownJobRow | { id: null }) & { end_id: string | null; end_at: Date | null };

/** An account's jobs by words of their prompts. */
@Injectable()
export class JobSearchRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async find(accountId: string, filter: JobSearchFilter, limit: number): Promise<FoundJobs> {
    const { status, before, from, to, kind, model, words } = filter;
    const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
    const place = [before?.createdAt ?? null, before?.id ?? null, to, from];
    const values = [accountId, status === null ? JOB_STATUSES : [status], ...place, kind, model, patterns, limit];
    const newest = to ?? before?.createdAt ?? new Date();
    const read = await monthsBack(this.database, { accountId, status, model: null }, newest, JOBS_SEARCHED_A_PAGE);
    const asked = monthsOfRows(from ?? read.from, newest);
    const months = { ...asked, from: asked.from > read.from ? asked.from : read.from };
    const rows = await this.database.query<FoundRow>(SEARCH, values, months);
    const { end_id = null, end_at = null } = rows[0] ?? {};
    return {
      jobs: rows.flatMap(({ end_id: _id, end_at: _at, ...job }) => (job.id === null ? [] : [job])),
      end: end_id === null || end_at === null ? null : { id: end_id, createdAt: end_at },
    };
  }
}
