import { Module } from '@nestjs/common';
import { AccountListRepository } from './account/account.repository';
import { StrikeStandingRepository } from './account/strike-standing.repository';
import { StandingsReconciler } from './background/billing-loops';
import { AccountOpening } from './opening/account-opening';
import { StorageModule } from './storage.module';
import { ApplyStrikes, ReconcileStandings, StrikeSuspension, SuspendedJobs } from './use-cases/apply-strikes.use-case';
import { ChangeAccount } from './use-cases/change-account.use-case';
import { CreateAccount } from './use-cases/create-account.use-case';
import { GetAccount, ListAccounts, ShowAccount } from './use-cases/get-account.query';
import { ListRecords } from './use-cases/list-records.query';
import { ManageBillingDetails } from './use-cases/manage-billing-details.use-case';
import {
  GetWebhookSecrets,
  RotateAccountWebhookSecret,
  RotateWebhookSecret,
} from './use-cases/rotate-webhook-secret.use-case';

const ACCOUNTS = [
  CreateAccount,
  GetAccount,
  ShowAccount,
  ListAccounts,
  ListRecords,
  ChangeAccount,
  ManageBillingDetails,
];
const WEBHOOK_SECRETS = [GetWebhookSecrets, RotateWebhookSecret, RotateAccountWebhookSecret];
const STRIKES = [ApplyStrikes, ReconcileStandings];

/** Accounts, their webhook secrets, and what their strikes lead to. */
@Module({
  imports: [StorageModule],
  providers: [
    ...ACCOUNTS,
    ...WEBHOOK_SECRETS,
    ...STRIKES,
    AccountListRepository,
    AccountOpening,
    StrikeStandingRepository,
    StrikeSuspension,
    SuspendedJobs,
    StandingsReconciler,
  ],
  exports: [AccountOpening, ...ACCOUNTS, ...WEBHOOK_SECRETS, ...STRIKES],
})
export class AccountsModule {}
