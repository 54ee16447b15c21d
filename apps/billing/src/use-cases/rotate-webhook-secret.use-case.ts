import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import {
  DEFAULT_GRACE_HOURS,
  type RotatedWebhookSecret,
  type RotateWebhookSecretRequest,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type {
  IssuedWebhookSecret,
  RotateAccountWebhookSecretRequest,
} from '@kinora/contracts/billing/self-service.rpc';
import { Database } from '@kinora/database';
import { accountNotFound, AccountRepository } from '../account/account.repository';
import { FORMER_SECRETS_MAX, WebhookSecretRepository } from '../account/webhook-secret.repository';
import { KeyChange } from '../api-key/key-change';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertInteger, assertOperator } from '../operator/operator-input';

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

/** Creates a new webhook secret for the account of the calling key. The previous one also signs during the overlap. */
@Injectable()
export class RotateAccountWebhookSecret {
  constructor(
    private readonly change: KeyChange,
    private readonly webhookSecrets: WebhookSecretRepository,
  ) {}

  execute({ overlap_seconds, ...caller }: RotateAccountWebhookSecretRequest): Promise<IssuedWebhookSecret> {
    const { account_id } = caller;
    return this.change.execute(caller, async (transaction) => {
      await this.webhookSecrets.retire(transaction, account_id, overlap_seconds);
      await this.webhookSecrets.endOldest(transaction, account_id, FORMER_SECRETS_MAX);
      const webhook_secret = await this.webhookSecrets.issue(transaction, account_id);
      return {
        record: { action: 'rotate_webhook_secret', details: { overlap_seconds } },
        result: { webhook_secret },
      };
    });
  }
}

/** Returns the secrets that sign an account's webhooks now, newest first. */
@Injectable()
export class GetWebhookSecrets {
  constructor(private readonly webhookSecrets: WebhookSecretRepository) {}

  async execute({ account_id }: { account_id: string }): Promise<{ secrets: string[] }> {
    const secrets = isUuid(account_id) ? await this.webhookSecrets.listValid(account_id) : [];
    // Every account has a current secret from its creation on, so no secret means no account.
    if (secrets.length === 0) throw accountNotFound();
    return { secrets };
  }
}
