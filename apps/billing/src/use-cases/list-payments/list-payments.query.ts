import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { AccountListRequest, PaymentDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import { AccountRepository } from '../../account/account.repository';
import { assertUuid } from '../../operator/operator-input';
import { PaymentRepository } from '../../payments/payment.repository';

const MAX_ROWS = 1_000;

/** Lists the payments of an account, newest first, including failed ones. */
@Injectable()
export class ListPayments {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly payments: PaymentRepository,
  ) {}

  async execute({ account_id, cursor }: AccountListRequest): Promise<PartialList<PaymentDetails>> {
    assertUuid({ cursor }, 'cursor');
    await this.accounts.assertExists(account_id);
    const found = await this.payments.list(account_id, { cursor: cursor ?? null, limit: MAX_ROWS + 1 });
    return toPage(found, { limit: MAX_ROWS, cursorOf: ({ payment_id }) => payment_id });
  }
}
