import { AccountEntity, WebhookSecretEntity } from './account/account.entity';
import { ApiKeyEntity } from './api-key/api-key.entity';
import { OperatorActionEntity } from './operator/operator-action.entity';
import { AutoRechargeEntity } from './payments/payment.entity';

/**
 * Entities that are used through TypeORM repositories, for data that operators read and write at a low rate. Other tables
 * are accessed by prepared statements only.
 */
export const HUMAN_RATE_ENTITIES = [
  AccountEntity,
  WebhookSecretEntity,
  ApiKeyEntity,
  OperatorActionEntity,
  AutoRechargeEntity,
];
