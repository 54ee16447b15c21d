import { AccountEntity } from './account/account.entity';
import { WebhookSecretEntity } from './account/webhook-secret.entity';
import { ApiKeyEntity } from './api-key/api-key.entity';
import { OperatorActionEntity } from './operator/operator-action.entity';
import { AutoRechargeEntity } from './payments/auto-recharge.entity';

/** Entities whose repositories are used, for what is read and written at human rates. Other tables are met by statements alone. */
export const HUMAN_RATE_ENTITIES = [
  AccountEntity,
  WebhookSecretEntity,
  ApiKeyEntity,
  OperatorActionEntity,
  AutoRechargeEntity,
];
