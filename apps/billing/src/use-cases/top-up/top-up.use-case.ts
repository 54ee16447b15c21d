import { Injectable } from '@nestjs/common';
import type { AccountDetails, TopUpRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { AccountRepository } from '../../account/account.repository';
import { MAX_REASON_LENGTH, assertGiven, assertInteger, assertText } from '../../operator-input';
import { WalletRepository } from '../../wallet/wallet.repository';

/** Adds money to a wallet. Not idempotent: two top-ups of one amount are two top-ups. */
@Injectable()
export class TopUp {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly wallets: WalletRepository,
  ) {}

  async execute(request: TopUpRequest): Promise<AccountDetails> {
    assertGiven(request, 'amount_micros');
    assertInteger(request, 'amount_micros');
    assertText(request, 'reason', MAX_REASON_LENGTH);
    const { account_id, amount_micros, reason = null } = request;
    await this.accounts.assertExists(account_id);
    if (!(await this.wallets.topUp(this.database, account_id, amount_micros, reason)))
      throw new ApiError('invalid_body', 'No wallet can hold that much.', { param: 'amount_micros' });
    return this.accounts.getDetails(account_id);
  }
}
