import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AccountStatementList } from '@kinora/contracts/billing/account-statement';
import { isRecord } from '@kinora/contracts/shared/is-record';
import { type ErrorDetails, ApiError, isErrorCode } from '@kinora/contracts/shared/errors';
import type { Usage, UsageGroup } from '@kinora/contracts/jobs/usage';
import type { Session } from '../../session/sessions';
import { credentialOf } from '../gateway/credential';
import { GatewayClient } from '../gateway/gateway-client';
import { csvLine, usdOf } from './csv';

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
const COUNTERS = ['jobs', 'succeeded', 'failed', 'canceled', 'in_flight'] as const;

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

  /** The whole statement, newest first. The first page is read before the first line is written, so that its error is answered. */
  async statement(session: Session, signal: AbortSignal): Promise<AsyncGenerator<string>> {
    const first = await this.readPage(session, null, signal);
    return this.statementLines(session, first, signal);
  }

  private async *statementLines(
    session: Session,
    first: AccountStatementList,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    yield csvLine(STATEMENT_COLUMNS);
    for (let page = first; ; page = await this.readPage(session, page.next_cursor, signal)) {
      yield page.data
        .map((entry) => {
          const { created_at, kind, amount_micros, balance_delta_micros, balance_after_micros, job_id, id } = entry;
          const amounts = [amount_micros, balance_delta_micros, balance_after_micros].map(usdOf);
          return csvLine([created_at, kind, ...amounts, job_id, id]);
        })
        .join('');
      if (!page.has_more || page.next_cursor === null) return;
    }
  }

  private async readPage(session: Session, cursor: string | null, signal: AbortSignal): Promise<AccountStatementList> {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/v1/account/statement?limit=${PAGE}${after}`;
    for (let waits = 0; ; waits++) {
      try {
        return await this.read<AccountStatementList>(session, path, signal);
      } catch (error) {
        const mayRepeat = error instanceof ApiError && error.code === 'rate_limited' && cursor !== null;
        if (!mayRepeat || waits === WAITS_MAX) throw error;
        await delay(WAIT_MS, undefined, { signal });
      }
    }
  }

  /** @throws ApiError as the gateway has answered it */
  private async read<Body>(session: Session, path: string, signal: AbortSignal): Promise<Body> {
    const { status, body } = await this.gateway.readJson({
      method: 'GET',
      path,
      apiKey: credentialOf(session),
      signal,
    });
    if (status === 200) return body as Body;
    throw toApiError(body);
  }
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
