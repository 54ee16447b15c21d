import { Injectable } from '@nestjs/common';
import { JOB_STATUSES, type JobKind, type JobStatus } from '@kinora/contracts/jobs/job';
import {
  ALL_MONTHS,
  Database,
  type GivenMonths,
  STORED_WITHIN_DAYS,
  daysAfter,
  inGivenMonths,
  monthsOfRows,
  statement,
} from '@kinora/database';
import type { Cursor } from '../job/cursor';
import { MONTHS_AT_ONCE, closedMonthsOf } from '../job/read-by-month';
import { SHOWN_JOB_COLUMNS, type ShownJobRow } from '../job/job.entity';

/** The number of jobs that one page reads at most. */
export const JOBS_SEARCHED_A_PAGE = 1_000;
/** How many closed months, first and then. */
const MONTHS_SEARCHED = [2, MONTHS_AT_ONCE];
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

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
  /** The last job that was read, or a place before all that were; null if no more are left. */
  end: Cursor | null;
}

type FoundRow = (ShownJobRow | { id: null }) & { end_id: string | null; end_at: Date | null };

/** An account's jobs by words of their prompts. */
@Injectable()
export class JobSearchRepository {
  constructor(private readonly database: Database) {}

  /** Newest first: of the account's newest months, and of more of them if those have too few. */
  async find(accountId: string, filter: JobSearchFilter, limit: number): Promise<FoundJobs> {
    const { before, from, to, model } = filter;
    const newest = new Date(Math.min(...[to, before?.createdAt].map((time) => time?.getTime() ?? Date.now())));
    const requested = monthsOfRows(from ?? ALL_MONTHS.from, newest);
    const { openMonths } = this.database;
    const open = requested.until > openMonths.from ? [openMonths] : [];
    const closed = (await closedMonthsOf(this.database, { accountId, model }, requested)).toReversed();
    let rest: FoundJobs = { jobs: [], end: null };
    for (const count of MONTHS_SEARCHED) {
      const next = closed[count];
      const months = [...open, ...closed.slice(0, count)];
      const readFrom = next ? daysAfter(next.until, STORED_WITHIN_DAYS) : null;
      const found = await this.search(accountId, { ...filter, from: readFrom ?? from }, { limit, months });
      if (found.end !== null || found.jobs.length === limit || readFrom === null) return found;
      rest = { jobs: found.jobs, end: { id: LOWEST_ID, createdAt: readFrom } };
    }
    return rest;
  }

  private async search(
    accountId: string,
    { status, before, from, to, kind, model, words }: JobSearchFilter,
    { limit, months }: { limit: number; months: GivenMonths },
  ): Promise<FoundJobs> {
    const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
    const place = [before?.createdAt ?? null, before?.id ?? null, to, from];
    const values = [accountId, status === null ? JOB_STATUSES : [status], ...place, kind, model, patterns, limit];
    const rows = await this.database.query<FoundRow>(SEARCH, values, months);
    const { end_id = null, end_at = null } = rows[0] ?? {};
    return {
      jobs: rows.flatMap(({ end_id: _id, end_at: _at, ...job }) => (job.id === null ? [] : [job])),
      end: end_id === null || end_at === null ? null : { id: end_id, createdAt: end_at },
    };
  }
}
