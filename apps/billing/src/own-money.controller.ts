import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import type { AutoRechargeDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import {
  type ListOwnPaymentsRequest,
  type SetOwnAutoRechargeRequest,
  type ShownAutoRecharge,
  type ShownPayment,
  ownMoneyRpc,
} from '@kinora/contracts/billing/own-money.rpc';
import type { PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import type { Micros } from '@kinora/contracts/shared/money';
import type { PartialList } from '@kinora/contracts/shared/page';
import { KeyProof } from './api-key/key-proof';
import { ListPayments } from './use-cases/list-payments/list-payments.query';
import { SetAutoRecharge } from './use-cases/set-auto-recharge/set-auto-recharge.use-case';
import { ShowAccount } from './use-cases/show-account/show-account.query';

/** Serves what a customer's session reads and changes of its money. The key that the request proves decides the account. */
@Controller()
export class OwnMoneyController {
  constructor(
    private readonly proof: KeyProof,
    private readonly showAccount: ShowAccount,
    private readonly setAutoRechargeUseCase: SetAutoRecharge,
    private readonly listPaymentsQuery: ListPayments,
  ) {}

  @Handles(ownMoneyRpc.showHeld)
  async showHeld(request: PresentedKeyRequest): Promise<{ held_micros: Micros }> {
    const { account_id } = await this.proof.getKey(request);
    const { held_micros } = await this.showAccount.execute({ account_id });
    return { held_micros };
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
    // Field by field: a key must not name the payment method, which could be another account's.
    const { enabled, threshold_micros, amount_micros, monthly_cap_micros } = request;
    const amounts = {
      ...(threshold_micros !== undefined && { threshold_micros }),
      ...(amount_micros !== undefined && { amount_micros }),
      ...(monthly_cap_micros !== undefined && { monthly_cap_micros }),
    };
    const actor = `console session of key ${api_key_id}`;
    const by = { account_id, actor, reason: 'changed by the customer' };
    return withoutMethod(await this.setAutoRechargeUseCase.execute({ ...by, enabled, ...amounts }));
  }

  @Handles(ownMoneyRpc.listPayments)
  async listPayments({ cursor, ...request }: ListOwnPaymentsRequest): Promise<PartialList<ShownPayment>> {
    const { account_id } = await this.proof.getAdministrator(request);
    const place = cursor === undefined ? {} : { cursor };
    const { data, ...page } = await this.listPaymentsQuery.execute({ account_id, ...place });
    return { ...page, data: data.map(({ reference: _reference, ...shown }) => shown) };
  }
}

function withoutMethod({
  payment_method: _method,
  customer: _customer,
  ...shown
}: AutoRechargeDetails): ShownAutoRecharge {
  return shown;
}
