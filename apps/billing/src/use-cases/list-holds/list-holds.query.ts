import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { AccountListRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import type { OpenHold } from '@kinora/contracts/billing/billing.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import { AccountRepository } from '../../account/account.repository';
import { assertUuid } from '../../operator/operator-input';
import { HoldRepository } from '../../wallet/hold.repository';

const MAX_ROWS = 1_000;

/** Lists the open holds of an account, oldest first. */
@Injectable()
export class ListHolds {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly holds: HoldRepository,
  ) {}

  async execute({ account_id, cursor }: AccountListRequest): Promise<PartialList<OpenHold>> {
    assertUuid({ cursor }, 'cursor');
    await this.accounts.assertExists(account_id);
    const found = await this.holds.listOpenOfAccount(account_id, { cursor: cursor ?? null, limit: MAX_ROWS + 1 });
    return toPage(found, { limit: MAX_ROWS, cursorOf: ({ job_id }) => job_id });
  }
}
