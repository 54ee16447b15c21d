import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '@kinora/database';
import { AdmissionController, ApiKeyAdminController, PortalController } from './api-key.controller';
import { AccountAdminController, StrikesController } from './account.controller';
import { AccountListRepository, AccountRepository } from './account/account.repository';
import { StrikeStandingRepository } from './account/strike-standing.repository';
import { ApplyStrikes, ReconcileStandings, StrikeSuspension } from './use-cases/apply-strikes.use-case';
import { WebhookSecretRepository } from './account/webhook-secret.repository';
import { ApiKeyRepository, PresentedKeyRepository } from './api-key/api-key.repository';
import { KeyBudgetRepository } from './api-key/key-budget.repository';
import { KeySpendRepository } from './api-key/key-spend.repository';
import { KeyChange } from './api-key/key-change';
import { ManagedKeyRepository } from './api-key/managed-key.repository';
import { KeyProof } from './api-key/key-proof';
import { LastUseRecorder } from './api-key/last-use-recorder';
import { HUMAN_RATE_ENTITIES } from './billing-entities';
import { BillingController, HealthController, HoldsController } from './billing.controller';
import { LedgerAdminController, PaymentAdminController } from './money-admin.controller';
import { LedgerHours, Recharger, StandingsReconciler } from './background/billing-loops';
import { HoldGauges, LedgerWatch } from './background/ledger-watch';
import { migrations } from './migrations/migrations';
import { AdmissionRepository } from './rate-limit/admission.repository';
import { LeaseRecall, LeaseRepository } from './rate-limit/leases';
import { OwnMoneyController, SelfServiceController } from './self-service.controller';
import { AutoRechargeRepository, PaymentRepository } from './payments/payment.repository';
import { PaymentProviders } from './payments/payment-providers';
import { PortalLinkRepository } from './api-key/portal-link.repository';
import { BillingPruner } from './background/billing-pruner';
import { AuditTrail } from './operator/audit-trail.repository';
import { AdjustBalance, BalanceChange, GrantCredit, TopUp } from './use-cases/change-balance.use-case';
import { Admit, ReturnLease } from './use-cases/admit.use-case';
import { BeginRecharges, SettlePayments } from './use-cases/recharge-accounts.use-case';
import { Capture, Refund } from './use-cases/end-hold.use-case';
import { CheckFunds } from './use-cases/check-funds.query';
import { CreateAccount } from './use-cases/create-account.use-case';
import { CreateAccountKey } from './use-cases/create-account-key.use-case';
import { CreateKey } from './use-cases/create-key.use-case';
import { CreatePortalLink, RedeemPortalLink, RevokePortalKey } from './use-cases/portal-session.use-case';
import { FindHolds, FindJobEntries, ListChargingHolds, ListOpenHolds } from './use-cases/find-holds.query';
import { FindInvalidKeys, GetPresentedKey } from './use-cases/find-invalid-keys.query';
import { EndPayment } from './use-cases/end-payment.use-case';
import { GetAccount, ListAccounts, ShowAccount } from './use-cases/get-account.query';
import { GetStatement, ListAccountStatement } from './use-cases/list-statement.query';
import {
  GetWebhookSecrets,
  RotateAccountWebhookSecret,
  RotateWebhookSecret,
} from './use-cases/rotate-webhook-secret.use-case';
import { ListAccountKeys, ListKeySpend } from './use-cases/list-account-keys.query';
import { ListActions, ListHolds, ListKeys, ListPayments } from './use-cases/list-records.query';
import { ListLedgerDays } from './use-cases/list-ledger-days.query';
import { Reserve } from './use-cases/reserve.use-case';
import { RevokeAccountKey, RevokeKey, RotateAccountKey } from './use-cases/revoke-key.use-case';
import { SetAutoRecharge } from './use-cases/set-auto-recharge.use-case';
import { SetLimits, SetStatus } from './use-cases/change-account.use-case';
import { VerifyLedger } from './use-cases/verify-ledger.use-case';
import { FundsRepository } from './wallet/funds.repository';
import { HoldRepository } from './wallet/hold.repository';
import { LedgerHourRepository, LedgerRounds } from './wallet/ledger-hour.repository';
import { LedgerRepository } from './wallet/ledger.repository';
import { ReservationRepository } from './wallet/reservation.repository';
import { WalletRepository } from './wallet/wallet.repository';

const ACCOUNTS = [CreateAccount, ShowAccount, ListAccounts, GetAccount, SetStatus, SetLimits, ListActions];
const STRIKES = [StrikeSuspension, ApplyStrikes, ReconcileStandings, StandingsReconciler];
const WEBHOOK_SECRETS = [GetWebhookSecrets, RotateWebhookSecret];
const KEYS = [Admit, ReturnLease, LeaseRecall, FindInvalidKeys, CreateKey, ListKeys, RevokeKey, LastUseRecorder];
const ACCOUNT_KEYS = [KeyChange, CreateAccountKey, ListAccountKeys, RevokeAccountKey, RotateAccountKey];
const SELF_SERVICE = [...ACCOUNT_KEYS, ListKeySpend, ListAccountStatement, RotateAccountWebhookSecret];
const PORTAL = [KeyProof, GetPresentedKey, CreatePortalLink, RedeemPortalLink, RevokePortalKey];
const JOB_MONEY = [
  CheckFunds,
  Reserve,
  Capture,
  Refund,
  ListHolds,
  ListOpenHolds,
  FindHolds,
  FindJobEntries,
  ListChargingHolds,
];
const MONEY = [TopUp, GrantCredit, AdjustBalance, BalanceChange, GetStatement, ListLedgerDays, VerifyLedger];
const PAYMENTS = [
  SetAutoRecharge,
  ListPayments,
  EndPayment,
  BeginRecharges,
  SettlePayments,
  PaymentProviders,
  Recharger,
];
const WATCHING = [HoldGauges, LedgerWatch, LedgerHours, BillingPruner];
const STORAGE = [
  AccountRepository,
  AccountListRepository,
  StrikeStandingRepository,
  WebhookSecretRepository,
  ApiKeyRepository,
  ManagedKeyRepository,
  KeySpendRepository,
  PresentedKeyRepository,
  PortalLinkRepository,
  KeyBudgetRepository,
  AdmissionRepository,
  LeaseRepository,
  WalletRepository,
  ReservationRepository,
  HoldRepository,
  FundsRepository,
  LedgerRepository,
  LedgerHourRepository,
  LedgerRounds,
  AuditTrail,
  AutoRechargeRepository,
  PaymentRepository,
];

@Module({
  imports: [DatabaseModule.forContext('billing', migrations), TypeOrmModule.forFeature(HUMAN_RATE_ENTITIES)],
  controllers: [
    BillingController,
    AdmissionController,
    HoldsController,
    AccountAdminController,
    ApiKeyAdminController,
    SelfServiceController,
    PortalController,
    OwnMoneyController,
    LedgerAdminController,
    PaymentAdminController,
    StrikesController,
    HealthController,
  ],
  providers: [
    ...ACCOUNTS,
    ...STRIKES,
    ...WEBHOOK_SECRETS,
    ...KEYS,
    ...SELF_SERVICE,
    ...PORTAL,
    ...JOB_MONEY,
    ...MONEY,
    ...PAYMENTS,
    ...WATCHING,
    ...STORAGE,
  ],
})
export class BillingModule {}
