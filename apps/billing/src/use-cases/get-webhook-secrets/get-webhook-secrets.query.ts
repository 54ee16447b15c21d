import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { accountNotFound } from '../../account/account-not-found';
import { WebhookSecretRepository } from '../../account/webhook-secret.repository';

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
