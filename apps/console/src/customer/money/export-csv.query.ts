import { Injectable } from '@nestjs/common';
import type { MonthStatement, StatementEntry } from '@kinora/contracts/billing/statement';
import type { KeySpendList } from '@kinora/contracts/billing/own-money.rpc';
import type { Usage, UsageGroup } from '@kinora/contracts/jobs/usage';
import type { Session } from '../../session/sessions';
import { type StatementEntries, StatementPages } from './statement-pages';

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

/** Writes lists of the API as CSV. */
@Injectable()
export class ExportCsv {
  constructor(private readonly api: StatementPages) {}

  /** @param query of `GET /usage` */
  async usage(session: Session, query: string, signal: AbortSignal): Promise<string> {
    const usage = await this.api.read<Usage>(session, `/v1/usage${query}`, signal);
    const lines = usage.data.map((group) => usageLine(group));
    return csvLine([usage.group_by, ...COUNTERS, 'charged_usd', 'gpu_ms']) + lines.join('');
  }

  /** The statement, newest first, of a month or as a whole. The first entry is read before the first line is written, so that its error is answered. */
  async statement(
    session: Session,
    of: Pick<MonthStatement, 'month' | 'cursor'> | null,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<string>> {
    const entries = this.api.list(session, signal, of?.cursor);
    return linesOf(await entries.next(), entries, of?.month ?? '');
  }
}

async function* linesOf(
  first: Awaited<ReturnType<StatementEntries['next']>>,
  entries: StatementEntries,
  since: string,
): AsyncGenerator<string> {
  yield csvLine(STATEMENT_COLUMNS);
  let next = first;
  for (; !next.done; next = await entries.next()) {
    if (next.value.created_at < since) return;
    yield csvLine(cellsOfEntry(next.value));
  }
  const archived = next.value;
  if (archived && archived.through >= since)
    yield csvLine([archived.through, 'archived', null, null, usdOf(archived.closing_micros), null, null]);
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
