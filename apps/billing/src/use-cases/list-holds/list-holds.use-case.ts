import { Injectable } from '@nestjs/common';
import type { OpenHold } from '@kinora/contracts/billing/billing.rpc';
import { AccountRepository } from '../../account/account.repository';
import { HoldRepository } from '../../wallet/hold.repository';

/** Lists what an account has held for its jobs in flight, oldest first. */
@Injectable()
export class ListHolds {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly holds: HoldRepository,
  ) {}

  async execute({ account_id }: { account_id: string }): Promise<{ data: OpenHold[] }> {
    await this.accounts.assertExists(account_id);
    return { data: await this.holds.listOpenOfAccount(account_id) };
  }
}
