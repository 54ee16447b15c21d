import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity, WebhookSecretEntity } from './account/account.entity';
import { AccountRepository } from './account/account.repository';
import { BillingDetailsRepository } from './account/billing-details.repository';
import { DebtPause } from './account/debt-pause';
import { WebhookSecretRepository } from './account/webhook-secret.repository';
import { ApiKeyEntity } from './api-key/api-key.entity';
import { ApiKeyRepository, PresentedKeyRepository } from './api-key/api-key.repository';
import { KeyBudgetRepository } from './api-key/key-budget.repository';
import { KeyChange } from './api-key/key-change';
import { KeyProof } from './api-key/key-proof';
import { ManagedKeyRepository } from './api-key/managed-key.repository';
import { PortalLinkRepository } from './api-key/portal-link.repository';
import { AuditTrail } from './operator/audit-trail.repository';
import { OperatorActionEntity } from './operator/operator-action.entity';
import { AutoRechargeEntity } from './payments/payment.entity';
import { AutoRechargeRepository, PaymentRepository } from './payments/payment.repository';
import { LeaseRecall, LeaseRepository } from './rate-limit/leases';
import { HoldRepository } from './wallet/hold.repository';
import { LedgerRepository } from './wallet/ledger.repository';
import { UserLinkRepository } from './user/user-link.repository';
import { UserRepository } from './user/user.repository';
import { WalletRepository } from './wallet/wallet.repository';

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

/** The records that several features share, and the rules by which a key changes its account. */
const SHARED = [
  AccountRepository,
  BillingDetailsRepository,
  DebtPause,
  AuditTrail,
  WebhookSecretRepository,
  ApiKeyRepository,
  PresentedKeyRepository,
  ManagedKeyRepository,
  KeyBudgetRepository,
  PortalLinkRepository,
  KeyProof,
  KeyChange,
  LeaseRepository,
  LeaseRecall,
  WalletRepository,
  HoldRepository,
  LedgerRepository,
  AutoRechargeRepository,
  PaymentRepository,
  UserRepository,
  UserLinkRepository,
];

@Module({ imports: [TypeOrmModule.forFeature(HUMAN_RATE_ENTITIES)], providers: SHARED, exports: SHARED })
export class StorageModule {}
