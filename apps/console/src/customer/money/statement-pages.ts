import { Injectable } from '@nestjs/common';
import type { AccountStatementList, ArchivedStatement, StatementEntry } from '@kinora/contracts/billing/statement';
import { ApiError, type ErrorDetails, isErrorCode } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/texts';
import { Clock } from '@kinora/service-kit';
import type { Session } from '../../session/sessions';
import { credentialOf, GatewayClient } from '../gateway/gateway-client';

const PAGE = 100;
/** Each page costs a request of the key's rate, so a long statement waits for its rate now and then. */
const WAIT_MS = 2_000;
const WAITS_MAX = 60;

export type StatementEntries = AsyncGenerator<StatementEntry, ArchivedStatement | undefined>;

/** Reads the public API with the key of the session. */
@Injectable()
export class StatementPages {
  constructor(
    private readonly gateway: GatewayClient,
    private readonly clock: Clock,
  ) {}

  /**
   * The entries of the statement from the newest on, or from a page, and then what the last page says of archived ones. A page is read
   * when its first entry is needed.
   */
  async *list(session: Session, signal: AbortSignal, from: string | null = null): StatementEntries {
    for (let cursor = from; ;) {
      const page = await this.readPage(session, cursor, signal);
      yield* page.data;
      if (!page.has_more || page.next_cursor === null) return page.archived;
      cursor = page.next_cursor;
    }
  }

  /** @throws ApiError as the gateway has answered it */
  async read<Body>(session: Session, path: string, signal: AbortSignal): Promise<Body> {
    const request = { method: 'GET', path, apiKey: credentialOf(session), session, signal };
    const { status, body } = await this.gateway.readJson(request);
    if (status === 200) return body as Body;
    throw toApiError(body);
  }

  private async readPage(session: Session, cursor: string | null, signal: AbortSignal): Promise<AccountStatementList> {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    for (let waits = 0; ; waits++) {
      try {
        return await this.read(session, `/v1/account/statement?limit=${PAGE}${after}`, signal);
      } catch (error) {
        const mayRepeat = error instanceof ApiError && error.code === 'rate_limited' && cursor !== null;
        if (!mayRepeat || waits === WAITS_MAX) throw error;
        await this.clock.sleep(WAIT_MS, signal);
      }
    }
  }
}

function toApiError(body: unknown): ApiError {
  const error = isRecord(body) ? body.error : undefined;
  if (!isRecord(error) || !isErrorCode(error.code)) return ApiError.unavailable('The API');
  const details: ErrorDetails = typeof error.param === 'string' ? { param: error.param } : {};
  return new ApiError(error.code, typeof error.message === 'string' ? error.message : '', details);
}
