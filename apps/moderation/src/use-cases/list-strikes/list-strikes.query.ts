import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { ListStrikesRequest, StrikeDetails } from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import { assertLimit, assertUuid } from '../../operator-input';
import { StrikeRepository } from '../../strike/strike.repository';

const DEFAULT_LIMIT = 100;

/** Lists strikes for operators, newest first, of all accounts or of one. */
@Injectable()
export class ListStrikes {
  constructor(private readonly strikes: StrikeRepository) {}

  async execute(request: ListStrikesRequest): Promise<PartialList<StrikeDetails>> {
    const { account_id = null, limit = DEFAULT_LIMIT, cursor = null } = request;
    assertUuid('account_id', account_id);
    assertUuid('cursor', cursor);
    assertLimit(limit);
    const found = await this.strikes.list(account_id, cursor, limit + 1);
    return toPage(found, { limit, cursorOf: ({ strike_id }) => strike_id });
  }
}
