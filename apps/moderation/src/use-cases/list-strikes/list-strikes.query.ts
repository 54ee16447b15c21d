import { Injectable } from '@nestjs/common';
import type { StrikeDetails } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { assertLimit, assertUuid } from '../../operator-input';
import { StrikeRepository } from '../../strike/strike.repository';

const DEFAULT_LIMIT = 100;

/** Lists strikes for operators, newest first, of all accounts or of one. */
@Injectable()
export class ListStrikes {
  constructor(private readonly strikes: StrikeRepository) {}

  async execute(request: { account_id?: string; limit?: number }): Promise<{ data: StrikeDetails[] }> {
    const { account_id = null, limit = DEFAULT_LIMIT } = request;
    assertUuid('account_id', account_id);
    assertLimit(limit);
    return { data: await this.strikes.list(account_id, limit) };
  }
}
