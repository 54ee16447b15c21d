import { Injectable } from '@nestjs/common';
import { Database } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { AutoRechargeRepository } from '../../payments/auto-recharge.repository';
import { PaymentProviders } from '../../payments/payment-providers';
import { PaymentRepository } from '../../payments/payment.repository';

/**
 * Inserts a payment for each account whose balance is below its threshold, at most one open payment per account. It
 * charges nothing yet.
 */
@Injectable()
export class BeginRecharges {
  constructor(
    private readonly database: Database,
    private readonly providers: PaymentProviders,
    private readonly recharges: AutoRechargeRepository,
    private readonly payments: PaymentRepository,
  ) {}

  /** @returns how many payments were begun. */
  async execute(): Promise<number> {
    const provider = this.providers.current;
    if (!provider) return 0;
    let begun = 0;
    for (const accountId of await this.recharges.listDue()) if (await this.begin(accountId, provider.name)) begun += 1;
    return begun;
  }

  /**
   * The condition is evaluated again under the lock: another process may have recharged the account since it was listed.
   */
  private begin(accountId: string, provider: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      await this.recharges.lock(transaction, accountId);
      return this.payments.begin(transaction, uuidv7(), provider, accountId);
    });
  }
}
