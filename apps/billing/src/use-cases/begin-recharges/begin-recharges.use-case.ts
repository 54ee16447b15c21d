import { Injectable } from '@nestjs/common';
import { Database } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { AutoRechargeRepository } from '../../payments/auto-recharge.repository';
import { PaymentProviders } from '../../payments/payment-providers';
import { PaymentRepository } from '../../payments/payment.repository';

/** Writes down a payment for each account whose balance has run low, one at a time for each. Nothing is charged yet. */
@Injectable()
export class BeginRecharges {
  constructor(
    private readonly database: Database,
    private readonly providers: PaymentProviders,
    private readonly recharges: AutoRechargeRepository,
    private readonly payments: PaymentRepository,
  ) {}

  /** How many were begun. */
  async execute(): Promise<number> {
    const provider = this.providers.current;
    if (!provider) return 0;
    let begun = 0;
    for (const accountId of await this.recharges.listDue()) if (await this.begin(accountId, provider.name)) begun += 1;
    return begun;
  }

  /** Judged again once the account is locked: another process may have recharged it since it was listed. */
  private begin(accountId: string, provider: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      await this.recharges.lock(transaction, accountId);
      return this.payments.begin(transaction, uuidv7(), provider, accountId);
    });
  }
}
