import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { type AccountPage, type ListAccountsRequest, accountListRpc } from '@kinora/contracts/billing/account-list.rpc';
import {
  type AccountDetails,
  type AccountListRequest,
  type CreateAccountRequest,
  type CreatedAccount,
  type RotateWebhookSecretRequest,
  type RotatedWebhookSecret,
  type SetLimitsRequest,
  type SetStatusRequest,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type { OperatorAction } from '@kinora/contracts/billing/operator-action';
import type { PartialList } from '@kinora/contracts/shared/page';
import { CreateAccount } from './use-cases/create-account/create-account.use-case';
import { ListAccounts } from './use-cases/list-accounts/list-accounts.query';
import { ListActions } from './use-cases/list-actions/list-actions.query';
import { RotateWebhookSecret } from './use-cases/rotate-webhook-secret/rotate-webhook-secret.use-case';
import { SetLimits } from './use-cases/set-limits/set-limits.use-case';
import { SetStatus } from './use-cases/set-status/set-status.use-case';
import { ShowAccount } from './use-cases/show-account/show-account.query';

/** Serves the operators' requests about accounts. */
@Controller()
export class AccountAdminController {
  constructor(
    private readonly createAccountUseCase: CreateAccount,
    private readonly showAccountUseCase: ShowAccount,
    private readonly listAccountsQuery: ListAccounts,
    private readonly setStatusUseCase: SetStatus,
    private readonly setLimitsUseCase: SetLimits,
    private readonly rotateWebhookSecretUseCase: RotateWebhookSecret,
    private readonly listActionsUseCase: ListActions,
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

  @Handles(billingAdminRpc.setStatus)
  setStatus(request: SetStatusRequest): Promise<AccountDetails> {
    return this.setStatusUseCase.execute(request);
  }

  @Handles(billingAdminRpc.setLimits)
  setLimits(request: SetLimitsRequest): Promise<AccountDetails> {
    return this.setLimitsUseCase.execute(request);
  }

  @Handles(billingAdminRpc.rotateWebhookSecret)
  rotateWebhookSecret(request: RotateWebhookSecretRequest): Promise<RotatedWebhookSecret> {
    return this.rotateWebhookSecretUseCase.execute(request);
  }

  @Handles(billingAdminRpc.listActions)
  listActions(request: AccountListRequest): Promise<PartialList<OperatorAction>> {
    return this.listActionsUseCase.execute(request);
  }
}
