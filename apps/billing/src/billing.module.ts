import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '@kinora/database';
import { AdmissionController } from './admission.controller';
import { AccountAdminController } from './account-admin.controller';
import { AccountListRepository } from './account/account-list.repository';
import { AccountRepository } from './account/account.repository';
import { StrikeStandingRepository } from './account/strike-standing.repository';
import { StrikeSuspension } from './account/strike-suspension';
import { WebhookSecretRepository } from './account/webhook-secret.repository';
import { ApiKeyAdminController } from './api-key-admin.controller';
import { ApiKeyRepository } from './api-key/api-key.repository';
import { KeyBudgetRepository } from './api-key/key-budget.repository';
import { KeySpendRepository } from './api-key/key-spend.repository';
import { KeyChange } from './api-key/key-change';
import { ManagedKeyRepository } from './api-key/managed-key.repository';
import { PresentedKeyRepository } from './api-key/presented-key.repository';
import { KeyProof } from './api-key/key-proof';
import { LastUseRecorder } from './api-key/last-use-recorder';
import { HUMAN_RATE_ENTITIES } from './billing-entities';
import { BillingController } from './billing.controller';
import { HealthController } from './health.controller';
import { HoldsController } from './holds.controller';
import { LedgerAdminController } from './ledger-admin.controller';
import { LedgerHours } from './background/ledger-hours';
import { LedgerWatch } from './background/ledger-watch';
import { migrations } from './migrations/migrations';
import { AdmissionRepository } from './rate-limit/admission.repository';
import { LeaseRecall } from './rate-limit/lease-recall';
import { LeaseRepository } from './rate-limit/lease.repository';
import { OwnMoneyController } from './own-money.controller';
import { PaymentAdminController } from './payment-admin.controller';
import { AutoRechargeRepository } from './payments/auto-recharge.repository';
import { PaymentProviders } from './payments/payment-providers';
import { PaymentRepository } from './payments/payment.repository';
import { PortalController } from './portal.controller';
import { PortalLinkRepository } from './portal/portal-link.repository';
import { BillingPruner } from './background/billing-pruner';
import { Recharger } from './background/recharger';
import { StandingsReconciler } from './background/standings-reconciler';
import { SelfServiceController } from './self-service.controller';
import { StrikesController } from './strikes.controller';
import { AuditTrail } from './operator/audit-trail.repository';
import { AdjustBalance } from './use-cases/adjust-balance/adjust-balance.use-case';
import { Admit } from './use-cases/admit/admit.use-case';
import { BeginRecharges } from './use-cases/begin-recharges/begin-recharges.use-case';
import { Capture } from './use-cases/capture/capture.use-case';
import { CheckFunds } from './use-cases/check-funds/check-funds.query';
import { CreateAccount } from './use-cases/create-account/create-account.use-case';
import { CreateAccountKey } from './use-cases/create-account-key/create-account-key.use-case';
import { CreateKey } from './use-cases/create-key/create-key.use-case';
import { CreatePortalLink } from './use-cases/create-portal-link/create-portal-link.use-case';
import { FindJobEntries } from './use-cases/find-job-entries/find-job-entries.query';
import { FindInvalidKeys } from './use-cases/find-invalid-keys/find-invalid-keys.query';
import { EndPayment } from './use-cases/end-payment/end-payment.use-case';
import { FindHolds } from './use-cases/find-holds/find-holds.query';
import { GetAccount } from './use-cases/get-account/get-account.query';
import { GetPresentedKey } from './use-cases/get-presented-key/get-presented-key.query';
import { GetStatement } from './use-cases/get-statement/get-statement.query';
import { GetWebhookSecrets } from './use-cases/get-webhook-secrets/get-webhook-secrets.query';
import { GrantCredit } from './use-cases/grant-credit/grant-credit.use-case';
import { ApplyStrikes } from './use-cases/apply-strikes/apply-strikes.use-case';
import { ListAccountKeys } from './use-cases/list-account-keys/list-account-keys.query';
import { ListAccountStatement } from './use-cases/list-account-statement/list-account-statement.query';
import { ListAccounts } from './use-cases/list-accounts/list-accounts.query';
import { ListActions } from './use-cases/list-actions/list-actions.query';
import { ListChargingHolds } from './use-cases/list-charging-holds/list-charging-holds.query';
import { ListHolds } from './use-cases/list-holds/list-holds.query';
import { ListKeySpend } from './use-cases/list-key-spend/list-key-spend.query';
import { ListKeys } from './use-cases/list-keys/list-keys.query';
import { ListOpenHolds } from './use-cases/list-open-holds/list-open-holds.query';
import { ListLedgerDays } from './use-cases/list-ledger-days/list-ledger-days.query';
import { ListPayments } from './use-cases/list-payments/list-payments.query';
import { ReconcileStandings } from './use-cases/reconcile-standings/reconcile-standings.use-case';
import { RedeemPortalLink } from './use-cases/redeem-portal-link/redeem-portal-link.use-case';
import { Refund } from './use-cases/refund/refund.use-case';
import { Reserve } from './use-cases/reserve/reserve.use-case';
import { ReturnLease } from './use-cases/return-lease/return-lease.use-case';
import { RevokeAccountKey } from './use-cases/revoke-account-key/revoke-account-key.use-case';
import { RevokeKey } from './use-cases/revoke-key/revoke-key.use-case';
import { RevokePortalKey } from './use-cases/revoke-portal-key/revoke-portal-key.use-case';
import { RotateAccountKey } from './use-cases/rotate-account-key/rotate-account-key.use-case';
import { RotateAccountWebhookSecret } from './use-cases/rotate-account-webhook-secret/rotate-account-webhook-secret.use-case';
import { RotateWebhookSecret } from './use-cases/rotate-webhook-secret/rotate-webhook-secret.use-case';
import { SetAutoRecharge } from './use-cases/set-auto-recharge/set-auto-recharge.use-case';
import { SetLimits } from './use-cases/set-limits/set-limits.use-case';
import { SetStatus } from './use-cases/set-status/set-status.use-case';
import { SettlePayments } from './use-cases/settle-payments/settle-payments.use-case';
import { ShowAccount } from './use-cases/show-account/show-account.query';
import { TopUp } from './use-cases/top-up/top-up.use-case';
import { VerifyLedger } from './use-cases/verify-ledger/verify-ledger.use-case';
import { BalanceChange } from './wallet/balance-change';
import { FundsRepository } from './wallet/funds.repository';
import { HoldGauges } from './wallet/hold-gauges';
import { HoldRepository } from './wallet/hold.repository';
import { LedgerHourRepository } from './wallet/ledger-hour.repository';
import { LedgerRounds } from './wallet/ledger-rounds';
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
