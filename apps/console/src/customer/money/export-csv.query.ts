import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { StatementEntry } from '@kinora/contracts/billing/statement';
import type { KeySpendList } from '@kinora/contracts/billing/own-money.rpc';
import type { Usage, UsageGroup } from '@kinora/contracts/jobs/usage';
import { ApiError, type ErrorDetails, isErrorCode } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/texts';
import type { Page } from '@kinora/contracts/shared/page';
import type { Session } from '../../session/sessions';
import { credentialOf, GatewayClient } from '../gateway/gateway-client';

/** What a spreadsheet takes for the beginning of a formula; some take the full-width signs, too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const QUOTED = /[",;\r\n]/;

export type Cell = string | number | null;

/** A line of RFC 4180. A text that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  const text = String(cell ?? '');
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Micros as dollars with all their digits: a floating-point number would round them. */
export function usdOf(micros: number): string {
  const digits = String(Math.abs(micros)).padStart(7, '0');
  return `${micros < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

const PAGE = 100;
/** Each page costs a request of the key's rate, so a long statement waits for its rate now and then. */
const WAIT_MS = 2_000;
const WAITS_MAX = 60;
const STATEMENT_COLUMNS = [
  'created_at',
  'kind',
  'amount_usd',
  'balance_delta_usd',
  'balance_after_usd',
  'job_id',
  'id',
];
const KEY_COLUMNS = ['name', 'prefix', 'jobs', 'charged_usd', 'revoked_at', 'id'];
const PORTAL_KEYS = 'portal sessions';
const COUNTERS = ['jobs', 'succeeded', 'failed', 'canceled', 'in_flight'] as const;

type StatementPage = Page<StatementEntry>;

/** Writes lists of the API as CSV, page by page, with the key of the session. */
@Injectable()
export class ExportCsv {
  constructor(private readonly gateway: GatewayClient) {}

  /** @param query of `GET /usage` */
  async usage(session: Session, query: string, signal: AbortSignal): Promise<string> {
    const usage = await this.read<Usage>(session, `/v1/usage${query}`, signal);
    const lines = usage.data.map((group) => usageLine(group));
    return csvLine([usage.group_by, ...COUNTERS, 'charged_usd', 'gpu_ms']) + lines.join('');
  }

  /** The statement, newest first, of a month such as 2026-11 or as a whole. Its first page is read before the first line is written, so that its error is answered. */
  async statement(session: Session, month: string | null, signal: AbortSignal): Promise<AsyncGenerator<string>> {
    return this.lines(session, await this.readPage(session, null, signal), month, signal);
  }

  private async *lines(
    session: Session,
    first: StatementPage,
    month: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    yield csvLine(STATEMENT_COLUMNS);
    for (let page = first; ; page = await this.readPage(session, page.next_cursor, signal)) {
      const shown = page.data.filter(({ created_at }) => month === null || created_at.startsWith(month));
      yield shown.map((entry) => csvLine(cellsOfEntry(entry))).join('');
      if (month !== null && (page.data.at(-1)?.created_at ?? '') < month) return;
      if (!page.has_more || page.next_cursor === null) return;
    }
  }

  private async readPage(session: Session, cursor: string | null, signal: AbortSignal): Promise<StatementPage> {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    for (let waits = 0; ; waits++) {
      try {
        return await this.read<StatementPage>(session, `/v1/account/statement?limit=${PAGE}${after}`, signal);
      } catch (error) {
        const mayRepeat = error instanceof ApiError && error.code === 'rate_limited' && cursor !== null;
        if (!mayRepeat || waits === WAITS_MAX) throw error;
        await delay(WAIT_MS, undefined, { signal });
      }
    }
  }

  /** @throws ApiError as the gateway has answered it */
  private async read<Body>(session: Session, path: string, signal: AbortSignal): Promise<Body> {
    const request = { method: 'GET', path, apiKey: credentialOf(session), session, signal };
    const { status, body } = await this.gateway.readJson(request);
    if (status === 200) return body as Body;
    throw toApiError(body);
  }
}

function cellsOfEntry(entry: StatementEntry): Cell[] {
  const { created_at, kind, cause, amount_micros, balance_delta_micros, balance_after_micros, job_id, id } = entry;
  const amounts = [amount_micros, balance_delta_micros, balance_after_micros].map(usdOf);
  return [created_at, cause ?? kind, ...amounts, job_id, id];
}

export function keySpendCsv({ data }: KeySpendList): string {
  const lines = data.map(({ api_key_id, name, prefix, jobs, charged_micros, revoked_at }) => {
    const shownName = api_key_id === null ? PORTAL_KEYS : name;
    return csvLine([shownName, prefix, jobs, usdOf(charged_micros), revoked_at, api_key_id]);
  });
  return csvLine(KEY_COLUMNS) + lines.join('');
}

function usageLine(group: UsageGroup): string {
  const name = 'day' in group ? group.day : group.model;
  return csvLine([name, ...COUNTERS.map((counter) => group[counter]), usdOf(group.charged_micros), group.gpu_ms]);
}

function toApiError(body: unknown): ApiError {
  const error = isRecord(body) ? body.error : undefined;
  if (!isRecord(error) || !isErrorCode(error.code)) return ApiError.unavailable('The API');
  const details: ErrorDetails = typeof error.param === 'string' ? { param: error.param } : {};
  return new ApiError(error.code, typeof error.message === 'string' ? error.message : '', details);
}
