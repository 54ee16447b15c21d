import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { AccountLimits, CreateAccountRequest, CreatedAccount } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Queryable } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { WebhookSecretRepository } from '../account/webhook-secret.repository';
import { AuditTrail } from '../operator/audit-trail.repository';
import { WalletRepository } from '../wallet/wallet.repository';

export type NewAccount = CreateAccountRequest & Required<AccountLimits>;

/** Opens accounts: with a wallet and a webhook secret, and without a key. */
@Injectable()
export class AccountOpening {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly wallets: WalletRepository,
    private readonly webhookSecrets: WebhookSecretRepository,
    private readonly auditTrail: AuditTrail,
  ) {}

  async open(
    transaction: Queryable,
    request: NewAccount,
  ): Promise<Pick<CreatedAccount, 'account_id' | 'webhook_secret'>> {
    const { name, rate_limit_rpm, retention_days, max_concurrent_jobs } = request;
    const { account_id = uuidv7() } = request;
    await this.accounts.insert(transaction, { id: account_id, name, rate_limit_rpm, retention_days });
    await this.wallets.open(transaction, account_id, max_concurrent_jobs);
    const webhook_secret = await this.webhookSecrets.issue(transaction, account_id);
    await this.auditTrail.record(transaction, 'create_account', { ...request, account_id });
    return { account_id, webhook_secret };
  }
}
