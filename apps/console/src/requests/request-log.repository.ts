import { Injectable } from '@nestjs/common';
import type { EndedRequest } from '@kinora/contracts/console/request-log.events';
import { Database, statement } from '@kinora/database';
import type { RequestLogEntity } from './request-log.entity';

export type LoggedRequestRow = RequestLogEntity;
/** Whether it is the last one that was read, if more follow, and whether it matches. */
export type ListedRequestRow = LoggedRequestRow & { is_end: boolean; is_match: boolean };

/** Days that are kept beside today, and days whose partitions are made ahead. */
const KEPT_DAYS = 14;
const DAYS_AHEAD = 3;
/** With a rare filter a page is short, and the next one continues behind it. */
export const REQUESTS_READ_A_PAGE = 2_000;

const COLUMNS =
  'at, id, account_id, api_key_id, method, route, status, code, message, param, bytes, duration_ms, job_id, from_console';

const KEEP_DAYS = statement('request_log_keep_days', 'SELECT keep_request_days($1, $2)');

/** Every process of the console receives every signal, so the row may be there already. Rows of days without a partition are skipped. */
const INSERT = statement(
  'request_log_insert',
  `INSERT INTO request_log (${COLUMNS})
   SELECT at, id, account_id, api_key_id, method, route, status, code, message, param, bytes, duration_ms, job_id,
          coalesce(from_console, false)
     FROM json_to_recordset($1::json) AS ended (at timestamptz, id text, account_id uuid, api_key_id uuid,
     method text, route text, status integer, code text, message text, param text, bytes bigint, duration_ms real, job_id uuid, from_console boolean)
    WHERE at BETWEEN now() - interval '1 day' AND now() + interval '1 day'
   ON CONFLICT (id, at) DO NOTHING`,
);

const FILTER = `($1::integer IS NULL OR status BETWEEN $1 AND $2) AND ($3::text IS NULL OR code = $3)
      AND ($4::text IS NULL OR route = $4) AND ($5::uuid IS NULL OR api_key_id = $5)
      AND ($9::boolean IS NULL OR from_console = $9)`;
const POSITION = `coalesce($6::timestamptz, 'infinity'), coalesce($7::text, '')`;

/** The last row of a page is marked by `is_end`, if the page has read as many rows as it may. */
const listOf = (condition: string, order: string): string =>
  `SELECT ${COLUMNS}, is_end, coalesce(${FILTER}, false) AS is_match FROM (
     SELECT ${COLUMNS}, row_number() OVER (ORDER BY at DESC, id DESC) = ${REQUESTS_READ_A_PAGE} AS is_end
       FROM (SELECT ${COLUMNS} FROM request_log WHERE ${condition} ORDER BY ${order} LIMIT ${REQUESTS_READ_A_PAGE}) AS newest) AS read
    WHERE (${FILTER}) OR is_end
    ORDER BY at DESC, id DESC LIMIT $8`;

const LIST = statement('request_log_list', listOf(`(at, id) < (${POSITION})`, 'at DESC, id DESC'));
/**
 * The row comparisons leave the index of accounts as the only one with this order. With an equality, PostgreSQL would read the
 * requests of all accounts where it expects that a few accounts have made them.
 */
const LIST_OF_ACCOUNT = statement(
  'request_log_list_of_account',
  listOf(
    `(account_id, at, id) >= ($10, '-infinity', '') AND (account_id, at, id) < ($10, ${POSITION})`,
    'account_id DESC, at DESC, id DESC',
  ),
);
const FIND = statement('request_log_find', `SELECT ${COLUMNS} FROM request_log WHERE id = $1 ORDER BY at LIMIT 1`);

export interface RequestFilter {
  accountId: string | null;
  /** 2 to 5: the first digit of the status. */
  statusClass: number | null;
  code: string | null;
  route: string | null;
  apiKeyId: string | null;
  fromConsole: boolean | null;
  before: { at: Date; id: string } | null;
}

/** The requests of the last days. */
@Injectable()
export class RequestLogRepository {
  constructor(private readonly database: Database) {}

  /** Makes the partitions of the next days and drops those that are too old. */
  async keepDays(): Promise<void> {
    await this.database.query(KEEP_DAYS, [DAYS_AHEAD, KEPT_DAYS]);
  }

  insert(requests: EndedRequest[]): Promise<number> {
    return this.database.execute(INSERT, [JSON.stringify(requests)]);
  }

  /** Newest first, with the rows that match and the last one that was read, if more follow. */
  list(filter: RequestFilter, limit: number): Promise<ListedRequestRow[]> {
    const { accountId, statusClass, code, route, apiKeyId, fromConsole, before } = filter;
    const first = statusClass === null ? null : statusClass * 100;
    const values = [first, first === null ? null : first + 99, code, route, apiKeyId];
    const page = [before?.at ?? null, before?.id ?? null, limit, fromConsole];
    return this.database.query(
      accountId === null ? LIST : LIST_OF_ACCOUNT,
      accountId === null ? [...values, ...page] : [...values, ...page, accountId],
    );
  }

  find(id: string): Promise<LoggedRequestRow | null> {
    return this.database.findOne<LoggedRequestRow>(FIND, [id]);
  }
}
