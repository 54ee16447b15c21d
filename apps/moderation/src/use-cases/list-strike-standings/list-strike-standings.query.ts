import { Injectable } from '@nestjs/common';
import type { StandingsPage, StandingsRequest } from '@kinora/contracts/moderation/standings.rpc';
import { NIL } from 'uuid';
import { ModerationConfig } from '../../moderation.config';
import { assertLimit, assertUuid } from '../../operator-input';
import { StrikeRepository } from '../../strike/strike.repository';

/** Some 200 bytes each, so that a page fits into one NATS message. */
const MAX_PAGE = 500;

/** Lists the strike counts of accounts, for a context that may have missed events. */
@Injectable()
export class ListStrikeStandings {
  constructor(
    private readonly strikes: StrikeRepository,
    private readonly config: ModerationConfig,
  ) {}

  async execute({ after_account_id, limit }: StandingsRequest): Promise<StandingsPage> {
    assertUuid('after_account_id', after_account_id);
    assertLimit(limit, MAX_PAGE);
    const { strikeWindowDays: window_days, strikeLimit } = this.config;
    const rows = await this.strikes.listStandings(after_account_id ?? NIL, limit, window_days);
    return {
      standings: rows.map((row) => ({ ...row, window_days, limit: strikeLimit })),
      next_account_id: rows.length === limit ? (rows.at(-1)?.account_id ?? null) : null,
    };
  }
}
