import { Injectable } from '@nestjs/common';
import {
  type AutoRechargeDetails,
  type PaymentDetails,
  type SetAutoRechargeRequest,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/is-record';
import type { PartialList } from '@kinora/contracts/shared/page';
import type { Session } from '../../session/sessions';
import { CustomerBus } from '../customer-bus';
import { KeyRights } from '../key-rights';

/** Without the ids of the payment provider. */
export type ShownAutoRecharge = Omit<AutoRechargeDetails, 'payment_method' | 'customer'>;
export type ShownPayment = Omit<PaymentDetails, 'reference'>;
type AutoRechargeChange = Pick<
  SetAutoRechargeRequest,
  'enabled' | 'threshold_micros' | 'amount_micros' | 'monthly_cap_micros'
>;

const FIELDS = ['enabled', 'threshold_micros', 'amount_micros', 'monthly_cap_micros'];

/** What the public API does not have of an account's money, for sessions that may administer the account. */
@Injectable()
export class AccountMoney {
  constructor(
    private readonly bus: CustomerBus,
    private readonly rights: KeyRights,
  ) {}

  async listPayments(session: Session, cursor?: string): Promise<PartialList<ShownPayment>> {
    const account_id = await this.rights.assert(session, 'account');
    const request = { account_id, ...(cursor !== undefined && { cursor }) };
    const { data, ...page } = await this.bus.request(billingAdminRpc.listPayments, request);
    return { ...page, data: data.map(({ reference: _reference, ...shown }) => shown) };
  }

  /** Null where it was never configured. */
  async showAutoRecharge(session: Session): Promise<{ auto_recharge: ShownAutoRecharge | null }> {
    const account_id = await this.rights.assert(session, 'account');
    const { auto_recharge } = await this.bus.request(billingAdminRpc.showAccount, { account_id });
    return { auto_recharge: auto_recharge && toShown(auto_recharge) };
  }

  /** Changes amounts and switches; the payment method is the operator's to set. @throws ApiError invalid_body */
  async setAutoRecharge(session: Session, body: unknown): Promise<{ auto_recharge: ShownAutoRecharge }> {
    const change = readChange(body);
    const account_id = await this.rights.assert(session, 'account');
    const actor = `console session of key ${session.api_key_id}`;
    const request = { account_id, actor, reason: 'changed by the customer', ...change };
    return { auto_recharge: toShown(await this.bus.request(billingAdminRpc.setAutoRecharge, request)) };
  }
}

function toShown({ payment_method: _method, customer: _customer, ...shown }: AutoRechargeDetails): ShownAutoRecharge {
  return shown;
}

/** Billing checks the values. */
function readChange(body: unknown): AutoRechargeChange {
  const fields = isRecord(body) ? body : {};
  const unknown = Object.keys(fields).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined)
    throw new ApiError('invalid_body', `${unknown} is not a field of this body.`, { param: unknown });
  if (typeof fields.enabled !== 'boolean')
    throw new ApiError('invalid_body', 'enabled must be true or false.', { param: 'enabled' });
  return fields as unknown as AutoRechargeChange;
}
