import { Injectable } from '@nestjs/common';
import {
  DEFAULT_GRACE_HOURS,
  type RotateWebhookSecretRequest,
  type RotatedWebhookSecret,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { Database } from '@kinora/database';
import { AccountRepository } from '../../account/account.repository';
import { FORMER_SECRETS_MAX, WebhookSecretRepository } from '../../account/webhook-secret.repository';
import { AuditTrail } from '../../operator/audit-trail.repository';
import { assertInteger, assertOperator } from '../../operator/operator-input';

const MAX_GRACE_HOURS = 720;
const SECONDS_PER_HOUR = 3_600;

/**
 * Creates a new webhook secret. The previous one also signs during the grace period, until all receivers have the new
 * one.
 */
@Injectable()
export class RotateWebhookSecret {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly webhookSecrets: WebhookSecretRepository,
    private readonly auditTrail: AuditTrail,
  ) {}

  async execute(request: RotateWebhookSecretRequest): Promise<RotatedWebhookSecret> {
    assertInteger(request, 'grace_hours', { min: 0, max: MAX_GRACE_HOURS });
    assertOperator(request);
    const { account_id, grace_hours = DEFAULT_GRACE_HOURS } = request;
    await this.accounts.assertExists(account_id);
    return this.database.transaction(async (transaction) => {
      await this.accounts.lock(transaction, account_id);
      const validUntil = await this.webhookSecrets.retire(transaction, account_id, grace_hours * SECONDS_PER_HOUR);
      await this.webhookSecrets.endOldest(transaction, account_id, FORMER_SECRETS_MAX);
      await this.auditTrail.record(transaction, 'rotate_webhook_secret', request);
      const secret = await this.webhookSecrets.issue(transaction, account_id);
      return { webhook_secret: secret, previous_valid_until: validUntil.toISOString() };
    });
  }
}
