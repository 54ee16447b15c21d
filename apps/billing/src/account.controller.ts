import { Controller } from '@nestjs/common';
import { accountListRpc, type AccountPage, type ListAccountsRequest } from '@kinora/contracts/billing/account-list.rpc';
import {
  type AccountDetails,
  type AccountListRequest,
  billingAdminRpc,
  type CreateAccountRequest,
  type CreatedAccount,
  type RotatedWebhookSecret,
  type RotateWebhookSecretRequest,
  type SetLimitsRequest,
  type SetPriceGroupRequest,
  type SetStatusRequest,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type { OperatorAction } from '@kinora/contracts/billing/operator-action';
import { moderationEvents, type StrikeStanding } from '@kinora/contracts/moderation/moderation.events';
import type { PartialList } from '@kinora/contracts/shared/page';
import { type EventDelivery, Handles, OnEvent } from '@kinora/bus';
import { ApplyStrikes } from './use-cases/apply-strikes.use-case';
import { ChangeAccount } from './use-cases/change-account.use-case';
import { CreateAccount } from './use-cases/create-account.use-case';
import { ListAccounts, ShowAccount } from './use-cases/get-account.query';
import { ListRecords } from './use-cases/list-records.query';
import { RotateWebhookSecret } from './use-cases/rotate-webhook-secret.use-case';

/** Serves the operators' requests about accounts. */
@Controller()
export class AccountAdminController {
  constructor(
    private readonly createAccountUseCase: CreateAccount,
    private readonly showAccountUseCase: ShowAccount,
    private readonly listAccountsQuery: ListAccounts,
    private readonly changes: ChangeAccount,
    private readonly rotateWebhookSecretUseCase: RotateWebhookSecret,
    private readonly records: ListRecords,
  ) {}

  @Handles(billingAdminRpc.createAccount)
  createAccount(request: CreateAccountRequest): Promise<CreatedAccount> {
    return this.createAccountUseCase.execute(request);
  }

  @Handles(billingAdminRpc.showAccount)
  showAccount(request: { account_id: string }): Promise<AccountDetails> {
    return this.showAccountUseCase.execute(request);
  }

  @Handles(accountListRpc.listAccounts)
  listAccounts(request: ListAccountsRequest): Promise<AccountPage> {
    return this.listAccountsQuery.execute(request);
  }

  @Handles(accountListRpc.nameAccounts)
  nameAccounts(request: { account_ids: string[] }): Promise<{ names: Record<string, string> }> {
    return this.listAccountsQuery.findNames(request);
  }

  @Handles(billingAdminRpc.setStatus)
  setStatus(request: SetStatusRequest): Promise<AccountDetails> {
    return this.changes.setStatus(request);
  }

  @Handles(billingAdminRpc.setLimits)
  setLimits(request: SetLimitsRequest): Promise<AccountDetails> {
    return this.changes.setLimits(request);
  }

  @Handles(billingAdminRpc.setPriceGroup)
  setPriceGroup(request: SetPriceGroupRequest): Promise<AccountDetails> {
    return this.changes.setPriceGroup(request);
  }

  @Handles(billingAdminRpc.rotateWebhookSecret)
  rotateWebhookSecret(request: RotateWebhookSecretRequest): Promise<RotatedWebhookSecret> {
    return this.rotateWebhookSecretUseCase.execute(request);
  }

  @Handles(billingAdminRpc.listActions)
  listActions(request: AccountListRequest): Promise<PartialList<OperatorAction>> {
    return this.records.listActions(request);
  }
}

/** Subscribes to moderation's events. */
@Controller()
export class StrikesController {
  constructor(private readonly applyStrikes: ApplyStrikes) {}

  @OnEvent(moderationEvents.strikeRecorded)
  strikeRecorded(standing: StrikeStanding, { messageId }: EventDelivery): Promise<void> {
    return this.applyStrikes.suspend(standing, messageId);
  }

  @OnEvent(moderationEvents.strikeLifted)
  strikeLifted(standing: StrikeStanding, { messageId }: EventDelivery): Promise<void> {
    return this.applyStrikes.reinstate(standing, messageId);
  }
}
