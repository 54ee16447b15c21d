import { Injectable } from '@nestjs/common';
import { DEFAULT_LIMITS } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Queryable } from '@kinora/database';
import { BillingConfig } from '../billing.config';
import { AccountOpening } from '../opening/account-opening';
import { WalletRepository } from '../wallet/wallet.repository';
import { hashesOfPerson } from './email-address';
import { type UserRow, UserRepository } from './user.repository';

/** The accounts that people make for themselves. */
@Injectable()
export class SignUpAccounts {
  constructor(
    private readonly opening: AccountOpening,
    private readonly users: UserRepository,
    private readonly wallets: WalletRepository,
    private readonly config: BillingConfig,
  ) {}

  get areOpen(): boolean {
    return this.config.signUp.mode === 'open';
  }

  /** With the credit of a sign-up, unless the person has had it. @returns its id */
  async open(transaction: Queryable, user: UserRow, name: string): Promise<string> {
    const request = { name, actor: `member ${user.id}`, reason: 'sign-up', ...DEFAULT_LIMITS };
    const { account_id } = await this.opening.open(transaction, request);
    await this.users.add(transaction, account_id, user.id, 'owner');
    const { peppers, signUp } = this.config;
    if (signUp.creditMicros > 0) {
      const credit = { account_id, amount_micros: signUp.creditMicros, reason: 'sign-up credit' };
      if (await this.users.takeCredit(transaction, hashesOfPerson(peppers, user.email), account_id))
        await this.wallets.changeBalance(transaction, { kind: 'credit', ...credit, reference: 'sign-up credit' });
    }
    return account_id;
  }
}
