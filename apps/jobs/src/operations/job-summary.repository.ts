import { Injectable } from '@nestjs/common';
import type { JobStatus } from '@kinora/contracts/jobs/job';
import type { QuoteSales } from '@kinora/contracts/jobs/jobs-admin.rpc';
import {
  Database,
  type QueryResultRow,
  type Statement,
  daysAfter,
  inGivenMonths,
  inMonthsOfIds,
  monthsOfRows,
  statement,
  timeOfId,
} from '@kinora/database';
import type { Cursor } from '../job/cursor';
import type { JobRow } from '../job/job.entity';
import { readByMonth } from '../job/read-by-month';

export type JobSummaryRow = Pick<
  JobRow,
  'id' | 'account_id' | 'status' | 'kind' | 'model' | 'error_code' | 'price_micros' | 'created_at' | 'completed_at'
>;

/** A summary with what only the search of operators shows. */
export type FoundJobRow = JobSummaryRow & Pick<JobRow, 'provider'>;

const COLUMNS =
  'id, account_id, status, kind, model, error_code, price_micros, created_at, completed_at, provider' as const;

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

type PageEnd = Pick<JobRow, 'id' | 'created_at'>;

const READ_BACK_DAYS = 7;
/** The number of jobs that one page reads at most. With a rare filter a page is short, and the next one continues behind it. */
const JOBS_READ_A_PAGE = 5_000;
/** Failed jobs are stored among others, so each costs more. */
const FAILED_READ_A_PAGE = 2_500;
/** Rows of one account; they may be stored anywhere, so each costs a page of the table. */
export const JOBS_READ_A_PAGE_OF_ACCOUNT = 500;

/** Ids grow with time, so the primary key is the order of creation, and no index over all accounts is needed. */
function statementsOf(name: string, condition: string, rowsRead: number): { list: Statement; pageEnd: Statement } {
  return {
    list: statement(
      `job_${name}_list`,
      `SELECT ${COLUMNS} FROM job
        WHERE ${condition} AND ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR model = $2)
          AND ($3::text IS NULL OR provider = $3) AND ($4::text IS NULL OR error_code = $4)
          AND id < coalesce($5::uuid, '${HIGHEST_ID}') AND id >= coalesce($6::uuid, '${LOWEST_ID}')
          AND ${inGivenMonths('id')}
        ORDER BY id DESC LIMIT $7`,
      { mayBeStale: true },
    ),
    pageEnd: statement(
      `job_${name}_page_end`,
      `SELECT id, created_at FROM job WHERE ${condition} AND id < coalesce($1::uuid, '${HIGHEST_ID}') AND ${inGivenMonths('id')}
        ORDER BY id DESC OFFSET ${rowsRead - 1} LIMIT 1`,
      { mayBeStale: true },
    ),
  };
}

const ANY_JOB = statementsOf('summary', 'true', JOBS_READ_A_PAGE);
/** By the index `job_failed`. */
const FAILED_JOB = statementsOf('failed', 'error_code IS NOT NULL', FAILED_READ_A_PAGE);

/** Merged from one short index range for each status, as the account's own list is. */
const LIST_OF_ACCOUNT = statement(
  'job_summary_list_of_account',
  `SELECT ${COLUMNS} FROM unnest($2::text[]) AS wanted(wanted_status) CROSS JOIN LATERAL (
     SELECT * FROM job
      WHERE account_id = $1 AND status = wanted_status AND ${inGivenMonths('id')}
        AND (created_at, id) < (coalesce($3::timestamptz, 'infinity'), coalesce($4::uuid, '${HIGHEST_ID}'))
      ORDER BY created_at DESC, id DESC LIMIT ${JOBS_READ_A_PAGE_OF_ACCOUNT}) AS newest
    ORDER BY created_at DESC, id DESC LIMIT ${JOBS_READ_A_PAGE_OF_ACCOUNT}`,
  { mayBeStale: true },
);

const FIND = statement('job_summary_find', `SELECT ${COLUMNS} FROM job WHERE id = $1 AND ${inMonthsOfIds('id')}`, {
  idsAt: 0,
});

export interface JobSummaryFilter {
  status: JobStatus | null;
  model: string | null;
  provider?: string | null;
  errorCode?: string | null;
  beforeId: string | null;
}

/** Jobs of all accounts, with the columns of a list. */
@Injectable()
export class JobSummaryRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. @param from the last job to read, as `findPageEnd` finds it. */
  list(filter: JobSummaryFilter, limit: number, from: string | null): Promise<FoundJobRow[]> {
    const { status, model, provider = null, errorCode = null, beforeId } = filter;
    const values = [status, model, provider, errorCode, beforeId, from, limit];
    return this.readBack<FoundJobRow>(statementsFor(filter).list, values, { beforeId, from, full: limit });
  }

  /** The last job that a page may read; null if fewer are left. */
  async findPageEnd(filter: JobSummaryFilter): Promise<PageEnd | null> {
    const { beforeId } = filter;
    const place = { beforeId, from: null, full: 1 };
    const [end] = await this.readBack<PageEnd>(statementsFor(filter).pageEnd, [beforeId], place);
    return end ?? null;
  }

  /** The next jobs of one account that a page may read, newest first. */
  listOfAccount(accountId: string, status: JobStatus | null, before: Cursor | null): Promise<FoundJobRow[]> {
    const listed = { accountId, status, model: null, order: 'desc', after: before } as const;
    return readByMonth(this.database, { ...listed, limit: JOBS_READ_A_PAGE_OF_ACCOUNT }, (months, statuses) => {
      const values = [accountId, statuses, before?.createdAt ?? null, before?.id ?? null];
      return this.database.query<FoundJobRow>(LIST_OF_ACCOUNT, values, months);
    });
  }

  find(id: string): Promise<FoundJobRow | null> {
    return this.database.findOne<FoundJobRow>(FIND, [id]);
  }

  /** Of the latest days before a job, and of all months only if those do not have enough; or as far as the last job to read. */
  private async readBack<Row extends QueryResultRow>(
    requested: Statement,
    values: unknown[],
    { beforeId, from, full }: { beforeId: string | null; from: string | null; full: number },
  ): Promise<Row[]> {
    const newest = beforeId === null ? new Date() : timeOfId(beforeId);
    const months = monthsOfRows(from === null ? daysAfter(newest, -READ_BACK_DAYS) : timeOfId(from), newest);
    const rows = await this.database.query<Row>(requested, values, months);
    return rows.length === full || from !== null ? rows : this.database.query<Row>(requested, values);
  }
}

/** Few jobs fail, so a search for them reads only those. */
function statementsFor({ status, errorCode = null }: JobSummaryFilter): typeof ANY_JOB {
  return status === 'failed' || errorCode !== null ? FAILED_JOB : ANY_JOB;
}

/** More than a hundred models a day for a week. */
const ROWS_MAX = 1_000;

/** The condition is that of the index `job_sold_under_quote`, so only the jobs at former prices are read. */
const LIST_QUOTE_SALES = statement(
  'job_list_quote_sales',
  `SELECT (created_at AT TIME ZONE 'UTC')::date::text AS day, model, count(*) AS jobs,
          sum(price_micros)::bigint AS quoted_micros, sum(list_micros)::bigint AS list_micros,
          sum(list_micros - price_micros)::bigint AS shortfall_micros
     FROM job
    WHERE list_micros <> price_micros AND created_at >= $1 AND account_id = coalesce($2, account_id) AND ${inGivenMonths('id')}
      AND status NOT IN ('failed', 'canceled')
    GROUP BY day, model ORDER BY day DESC, model LIMIT ${ROWS_MAX}`,
  { mayBeStale: true },
);

/** Jobs that were sold under a quote at another price than the price list had at their creation. */
@Injectable()
export class QuoteSalesRepository {
  constructor(private readonly database: Database) {}

  list(since: Date, accountId: string | null): Promise<QuoteSales[]> {
    return this.database.query<QuoteSales>(LIST_QUOTE_SALES, [since, accountId], monthsOfRows(since, new Date()));
  }
}
