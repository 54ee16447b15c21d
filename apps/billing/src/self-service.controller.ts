import { Controller } from '@nestjs/common';
import type { ApiKeyList, IssuedApiKey } from '@kinora/contracts/billing/account-key';
import type { AccountStatementList, MonthStatement } from '@kinora/contracts/billing/statement';
import type { AutoRechargeDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { type BillingDetails, billingDetailsRpc } from '@kinora/contracts/billing/billing-details.rpc';
import { type Card, cardsRpc } from '@kinora/contracts/billing/cards.rpc';
import {
  type BalanceAlert,
  type KeySpendList,
  type KeySpendRequest,
  keySpendRpc,
  type ListOwnPaymentsRequest,
  ownMoneyRpc,
  type SetOwnAutoRechargeRequest,
  type ShownAutoRecharge,
  type ShownPayment,
} from '@kinora/contracts/billing/own-money.rpc';
import type { PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import {
  type CallerListRequest,
  type CreateAccountKeyRequest,
  type IssuedWebhookSecret,
  type RotateAccountKeyRequest,
  type RotateAccountWebhookSecretRequest,
  selfServiceRpc,
  type TargetKeyRequest,
} from '@kinora/contracts/billing/self-service.rpc';
import type { Micros } from '@kinora/contracts/shared/money';
import type { PartialList } from '@kinora/contracts/shared/page';
import { Handles } from '@kinora/bus';
import { KeyProof } from './api-key/key-proof';
import { CreateAccountKey } from './use-cases/create-account-key.use-case';
import { ShowAccount } from './use-cases/get-account.query';
import { ListAccountKeys, ListKeySpend } from './use-cases/list-account-keys.query';
import { ListRecords } from './use-cases/list-records.query';
import { ListAccountStatement } from './use-cases/list-statement.query';
import { BalanceAlerts } from './use-cases/balance-alerts.use-case';
import { ManageBillingDetails } from './use-cases/manage-billing-details.use-case';
import { ManageCards } from './use-cases/manage-cards.use-case';
import { RevokeAccountKey, RotateAccountKey } from './use-cases/revoke-key.use-case';
import { RotateAccountWebhookSecret } from './use-cases/rotate-webhook-secret.use-case';
import { SetAutoRecharge } from './use-cases/set-auto-recharge.use-case';
import { ShowMonth } from './use-cases/show-month.query';

/** Serves the requests of accounts about themselves. */
@Controller()
export class SelfServiceController {
  constructor(
    private readonly listAccountKeys: ListAccountKeys,
    private readonly createAccountKey: CreateAccountKey,
    private readonly revokeAccountKey: RevokeAccountKey,
    private readonly rotateAccountKey: RotateAccountKey,
    private readonly listAccountStatement: ListAccountStatement,
    private readonly listKeySpend: ListKeySpend,
    private readonly rotateAccountWebhookSecret: RotateAccountWebhookSecret,
  ) {}

  @Handles(selfServiceRpc.listKeys)
  listKeys(request: CallerListRequest): Promise<ApiKeyList> {
    return this.listAccountKeys.execute(request);
  }

  @Handles(selfServiceRpc.createKey)
  createKey(request: CreateAccountKeyRequest): Promise<IssuedApiKey> {
    return this.createAccountKey.execute(request);
  }

  @Handles(selfServiceRpc.revokeKey)
  revokeKey(request: TargetKeyRequest): Promise<Record<string, never>> {
    return this.revokeAccountKey.execute(request);
  }

  @Handles(selfServiceRpc.rotateKey)
  rotateKey(request: RotateAccountKeyRequest): Promise<IssuedApiKey> {
    return this.rotateAccountKey.execute(request);
  }

  @Handles(selfServiceRpc.listStatement)
  listStatement(request: CallerListRequest): Promise<AccountStatementList> {
    return this.listAccountStatement.execute(request);
  }

  @Handles(keySpendRpc.listSpend)
  listSpend(request: KeySpendRequest): Promise<KeySpendList> {
    return this.listKeySpend.execute(request);
  }

  @Handles(selfServiceRpc.rotateWebhookSecret)
  rotateWebhookSecret(request: RotateAccountWebhookSecretRequest): Promise<IssuedWebhookSecret> {
    return this.rotateAccountWebhookSecret.execute(request);
  }
}

/** Serves the paper of a month. */
@Controller()
export class OwnStatementController {
  constructor(
    private readonly proof: KeyProof,
    private readonly months: ShowMonth,
  ) {}

  @Handles(ownMoneyRpc.showMonth)
  async showMonth({ month, ...proof }: PresentedKeyRequest & { month: string }): Promise<MonthStatement> {
    const { account_id } = await this.proof.getAdministrator(proof);
    return this.months.execute(account_id, month);
  }
}

/** Serves what a customer's session reads and changes of its money. The key that the request proves decides the account. */
@Controller()
export class OwnMoneyController {
  constructor(
    private readonly proof: KeyProof,
    private readonly showAccount: ShowAccount,
    private readonly setAutoRechargeUseCase: SetAutoRecharge,
    private readonly cards: ManageCards,
    private readonly alerts: BalanceAlerts,
    private readonly details: ManageBillingDetails,
    private readonly records: ListRecords,
  ) {}

  @Handles(ownMoneyRpc.showHeld)
  async showHeld(request: PresentedKeyRequest): Promise<{ held_micros: Micros }> {
    const { account_id } = await this.proof.getKey(request);
    const { held_micros } = await this.showAccount.execute({ account_id });
    return { held_micros };
  }

  @Handles(ownMoneyRpc.showBalanceAlert)
  async showBalanceAlert(request: PresentedKeyRequest): Promise<BalanceAlert> {
    const { account_id } = await this.proof.getAdministrator(request);
    return this.alerts.show(account_id);
  }

  @Handles(ownMoneyRpc.setBalanceAlert)
  async setBalanceAlert({
    threshold_micros,
    ...proof
  }: PresentedKeyRequest & { threshold_micros: Micros | null }): Promise<BalanceAlert> {
    const { account_id } = await this.proof.getAdministrator(proof);
    return this.alerts.set({ account_id, threshold_micros });
  }

  @Handles(ownMoneyRpc.showAutoRecharge)
  async showAutoRecharge(request: PresentedKeyRequest): Promise<{ auto_recharge: ShownAutoRecharge | null }> {
    const { account_id } = await this.proof.getAdministrator(request);
    const { auto_recharge } = await this.showAccount.execute({ account_id });
    return { auto_recharge: auto_recharge && withoutMethod(auto_recharge) };
  }

  @Handles(ownMoneyRpc.setAutoRecharge)
  async setAutoRecharge(request: SetOwnAutoRechargeRequest): Promise<ShownAutoRecharge> {
    const { account_id, api_key_id } = await this.proof.getAdministrator(request);
    // Field by field: a key must not name a payment method or a customer, which could be another account's.
    const { enabled, threshold_micros, amount_micros, monthly_cap_micros, card_id } = request;
    const amounts = {
      ...(threshold_micros !== undefined && { threshold_micros }),
      ...(amount_micros !== undefined && { amount_micros }),
      ...(monthly_cap_micros !== undefined && { monthly_cap_micros }),
    };
    const actor = `console session of key ${api_key_id}`;
    const by = { account_id, actor, reason: 'changed by the customer' };
    const card = card_id === undefined ? {} : await this.cards.findMethod(account_id, card_id);
    return withoutMethod(await this.setAutoRechargeUseCase.execute({ ...by, ...card, enabled, ...amounts }));
  }

  @Handles(ownMoneyRpc.listPayments)
  async listPayments({ cursor, ...request }: ListOwnPaymentsRequest): Promise<PartialList<ShownPayment>> {
    const { account_id } = await this.proof.getAdministrator(request);
    const place = cursor === undefined ? {} : { cursor };
    const { data, ...page } = await this.records.listPayments({ account_id, ...place });
    return { ...page, data: data.map(({ reference: _reference, ...shown }) => shown) };
  }

  @Handles(billingDetailsRpc.show)
  async showBillingDetails(request: PresentedKeyRequest): Promise<{ billing_details: BillingDetails | null }> {
    const { account_id } = await this.proof.getAdministrator(request);
    return { billing_details: await this.details.find(account_id) };
  }

  @Handles(billingDetailsRpc.set)
  async setBillingDetails({
    name,
    address,
    tax_id,
    ...proof
  }: PresentedKeyRequest & BillingDetails): Promise<{ billing_details: BillingDetails }> {
    const { account_id, api_key_id } = await this.proof.getAdministrator(proof);
    const by = { account_id, actor: `console session of key ${api_key_id}` };
    return { billing_details: await this.details.set({ ...by, name, address, tax_id }) };
  }

  @Handles(cardsRpc.list)
  async listCards(request: PresentedKeyRequest): Promise<{ data: Card[] }> {
    const { account_id } = await this.proof.getAdministrator(request);
    return { data: await this.cards.list(account_id) };
  }

  @Handles(cardsRpc.remove)
  async removeCard({ card_id, ...proof }: PresentedKeyRequest & { card_id: string }): Promise<Record<string, never>> {
    const { account_id, api_key_id } = await this.proof.getAdministrator(proof);
    await this.cards.remove({ account_id, card_id, actor: `console session of key ${api_key_id}` });
    return {};
  }
}

function withoutMethod({
  payment_method: _method,
  customer: _customer,
  ...shown
}: AutoRechargeDetails): ShownAutoRecharge {
  return shown;
}
