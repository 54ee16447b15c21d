import { Injectable } from '@nestjs/common';
import {
  type AutoRechargeDetails,
  type PaymentDetails,
  type SetAutoRechargeRequest,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { type KeySpendList, keySpendRpc } from '@kinora/contracts/billing/key-spend.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/is-record';
import type { Micros } from '@kinora/contracts/shared/money';
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

  /** What jobs in flight hold of the account's money, which the public API shows as spent already. */
  async showHeld(session: Session): Promise<{ held_micros: Micros }> {
    const account_id = await this.rights.assert(session, 'read');
    const { held_micros } = await this.bus.request(billingAdminRpc.showAccount, { account_id });
    return { held_micros };
  }

  /** What each key has spent in the last days. @throws ApiError invalid_query */
  async listKeySpend(session: Session, days?: string): Promise<KeySpendList> {
    const period = days === undefined ? {} : { days: readDays(days) };
    const account_id = await this.rights.assert(session, 'account');
    // Null in sessions of operators only.
    const caller = { account_id, api_key_id: session.api_key_id ?? '' };
    return this.bus.request(keySpendRpc.listSpend, { ...caller, ...period });
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

/** Billing checks the range. A repeated parameter is an array. */
function readDays(days: unknown): number {
  if (typeof days === 'string' && /^\d{1,9}$/.test(days)) return Number(days);
  throw new ApiError('invalid_query', 'days must be a whole number.', { param: 'days' });
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
