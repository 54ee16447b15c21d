import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import type { ListStrikesRequest, StrikeDetails } from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { StandingsPage, StandingsRequest } from '@kinora/contracts/moderation/standings.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import { toPage } from '@kinora/bus';
import { ModerationConfig } from '../moderation.config';
import { assertLimit, assertUuid } from '../operator-input';
import { StrikeRepository } from '../strike/strike.repository';

const DEFAULT_LIMIT = 100;
/** Some 200 bytes each, so that a page fits into one NATS message. */
const MAX_STANDINGS = 500;

@Injectable()
export class ListStrikes {
  constructor(
    private readonly strikes: StrikeRepository,
    private readonly config: ModerationConfig,
  ) {}

  /** For operators, newest first, of all accounts or of one. */
  async execute(request: ListStrikesRequest): Promise<PartialList<StrikeDetails>> {
    const { account_id = null, limit = DEFAULT_LIMIT, cursor = null } = request;
    assertUuid('account_id', account_id);
    assertUuid('cursor', cursor);
    assertLimit(limit);
    const found = await this.strikes.list(account_id, cursor, limit + 1);
    return toPage(found, { limit, cursorOf: ({ strike_id }) => strike_id });
  }

  /** The strike counts of accounts, for a context that may have missed events. */
  async standings({ after_account_id, limit }: StandingsRequest): Promise<StandingsPage> {
    assertUuid('after_account_id', after_account_id);
    assertLimit(limit, MAX_STANDINGS);
    const { strikeWindowDays: window_days, strikeLimit } = this.config;
    const rows = await this.strikes.listStandings(after_account_id ?? NIL, limit, window_days);
    return {
      standings: rows.map((row) => ({ ...row, window_days, limit: strikeLimit })),
      next_account_id: rows.length === limit ? (rows.at(-1)?.account_id ?? null) : null,
    };
  }
}
