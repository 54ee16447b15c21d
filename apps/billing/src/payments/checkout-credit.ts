import { Injectable } from '@nestjs/common';
import { Database } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { DebtPause } from '../account/debt-pause';
import { LeaseRecall } from '../rate-limit/leases';
import { MoneyEmails } from '../user/money-emails';
import type { CheckoutProvider, PaidCheckout } from './checkout-provider.port';
import { CheckoutRepository, type CheckoutRow } from './checkout.repository';

/** Credits a paid checkout, with what follows for the account and its members. */
@Injectable()
export class CheckoutCredit {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly checkouts: CheckoutRepository,
    private readonly pause: DebtPause,
    private readonly leaseRecall: LeaseRecall,
    private readonly emails: MoneyEmails,
  ) {}

  /** @returns whether this call has credited it. */
  async book({ sendsReceipts }: CheckoutProvider, checkout: CheckoutRow, paid: PaidCheckout): Promise<boolean> {
    const { id, account_id } = checkout;
    const isCredited = await this.database.transaction(async (transaction) => {
      await this.accounts.lock(transaction, account_id);
      if (!(await this.checkouts.credit(transaction, id, paid))) return false;
      await this.pause.endIfPaid(transaction, account_id);
      if (!sendsReceipts) await this.emails.queueReceipt(transaction, account_id, checkout);
      return true;
    });
    if (isCredited) this.leaseRecall.signal(account_id);
    return isCredited;
  }
}
