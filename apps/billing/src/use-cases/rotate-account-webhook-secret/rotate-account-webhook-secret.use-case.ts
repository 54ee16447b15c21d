import { Injectable } from '@nestjs/common';
import type {
  IssuedWebhookSecret,
  RotateAccountWebhookSecretRequest,
} from '@kinora/contracts/billing/self-service.rpc';
import { FORMER_SECRETS_MAX, WebhookSecretRepository } from '../../account/webhook-secret.repository';
import { KeyChange } from '../../api-key/key-change';

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
