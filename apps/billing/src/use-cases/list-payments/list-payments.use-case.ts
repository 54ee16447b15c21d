import { Injectable } from '@nestjs/common';
import type { PaymentDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { AccountRepository } from '../../account/account.repository';
import { PaymentRepository } from '../../payments/payment.repository';

/** Lists what an account was charged, newest first, failed attempts too. */
@Injectable()
export class ListPayments {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly payments: PaymentRepository,
  ) {}

  async execute({ account_id }: { account_id: string }): Promise<{ data: PaymentDetails[] }> {
    await this.accounts.assertExists(account_id);
    return { data: await this.payments.list(account_id) };
  }
}
