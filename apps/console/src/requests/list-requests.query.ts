import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { ListQuery } from '../http/query-fields';
import {
  type ListedRequestRow,
  type LoggedRequestRow,
  type RequestFilter,
  RequestLogRepository,
} from './request-log.repository';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const MAX_TEXT = 200;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const REQUEST_ID = /^req_[0-9a-zA-Z]{1,64}$/;
const CURSOR = /^(\d{13})\.(req_[0-9a-zA-Z]{1,64})$/;

export interface LoggedRequest {
  id: string;
  at: string;
  account_id: string;
  api_key_id: string;
  method: string;
  route: string | null;
  status: number | null;
  code: string | null;
  /** What the error says, and the field or parameter that it names. */
  message: string | null;
  param: string | null;
  /** The size of the body as the client stated it; the body itself is never kept. */
  bytes: number | null;
  duration_ms: number;
  job_id: string | null;
  /** Whether a page of the console has sent it. */
  from_console: boolean;
}

export interface RequestPage {
  data: LoggedRequest[];
  has_more: boolean;
  next_cursor: string | null;
}

/** Requests of one account, or of all, newest first. */
@Injectable()
export class ListRequests {
  constructor(private readonly requests: RequestLogRepository) {}

  /** @param accountId null for all accounts. @throws ApiError invalid_query */
  async execute(query: ListQuery, accountId: string | null): Promise<RequestPage> {
    const limit = limitOf(query['limit']);
    const filter = filterOf(query, accountId);
    const requestId = textOf(query, 'request_id', REQUEST_ID);
    if (requestId !== null) return pageOf([await this.find(requestId, accountId)]);
    const rows = await this.requests.list(filter, limit + 1);
    // The row at the end of what was read need not match.
    const matching = rows.filter(({ is_match }) => is_match);
    const data = matching.slice(0, limit);
    const last = matching.length > limit ? data.at(-1) : rows.find(({ is_end }) => is_end);
    const next_cursor = last ? Buffer.from(`${last.at.getTime()}.${last.id}`).toString('base64url') : null;
    return { data: data.map(toLoggedRequest), has_more: next_cursor !== null, next_cursor };
  }

  private async find(id: string, accountId: string | null): Promise<LoggedRequestRow | null> {
    const row = await this.requests.find(id);
    return row !== null && (accountId === null || row.account_id === accountId) ? row : null;
  }
}

function pageOf(rows: (LoggedRequestRow | null)[]): RequestPage {
  const found = rows.filter((row) => row !== null);
  return { data: found.map(toLoggedRequest), has_more: false, next_cursor: null };
}

function filterOf(query: ListQuery, accountId: string | null): RequestFilter {
  const status = textOf(query, 'status', /^[2-5](xx)?$/);
  const source = textOf(query, 'source', /^(programs|console)$/);
  return {
    accountId,
    statusClass: status === null ? null : Number(status[0]),
    code: textOf(query, 'code', /^[a-z_]+$/),
    route: textOf(query, 'route', /^\//),
    apiKeyId: textOf(query, 'api_key_id', UUID),
    fromConsole: source === null ? null : source === 'console',
    before: cursorOf(query['cursor']),
  };
}

function limitOf(value: unknown): number {
  const limit = value === undefined ? DEFAULT_LIMIT : Number(value);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw invalid('limit', `a whole number from 1 to ${MAX_LIMIT}`);
}

function textOf(query: ListQuery, name: string, pattern: RegExp): string | null {
  const value = query[name];
  if (value === undefined || value === '') return null;
  if (typeof value === 'string' && value.length <= MAX_TEXT && pattern.test(value)) return value;
  throw invalid(name, 'as the list shows it');
}

function cursorOf(value: unknown): RequestFilter['before'] {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? Buffer.from(value, 'base64url').toString('latin1') : '';
  const [, time, id] = CURSOR.exec(text) ?? [];
  if (time !== undefined && id !== undefined) return { at: new Date(Number(time)), id };
  throw invalid('cursor', 'the next_cursor of the previous page');
}

function invalid(param: string, rule: string): ApiError {
  return new ApiError('invalid_query', `${param} must be ${rule}.`, { param });
}

function toLoggedRequest({ at, is_end: _end, is_match: _match, ...row }: LoggedRequestRow & Partial<ListedRequestRow>) {
  return { ...row, at: at.toISOString() };
}
