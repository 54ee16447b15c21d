import { Injectable } from '@nestjs/common';
import {
  type KeySpendList,
  keySpendRpc,
  ownMoneyRpc,
  type SetOwnAutoRechargeRequest,
  type ShownAutoRecharge,
  type ShownPayment,
} from '@kinora/contracts/billing/own-money.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/texts';
import type { Micros } from '@kinora/contracts/shared/money';
import type { PartialList } from '@kinora/contracts/shared/page';
import type { Session } from '../../session/sessions';
import { KeyRights } from '../key-rights';

type AutoRechargeChange = Omit<SetOwnAutoRechargeRequest, 'key_sha256'>;

const FIELDS = ['enabled', 'threshold_micros', 'amount_micros', 'monthly_cap_micros'];

/** What the public API does not have of an account's money. Billing decides what the session's key may see and change. */
@Injectable()
export class AccountMoney {
  constructor(private readonly rights: KeyRights) {}

  listPayments(session: Session, cursor?: string): Promise<PartialList<ShownPayment>> {
    return this.rights.request(ownMoneyRpc.listPayments, session, cursor === undefined ? {} : { cursor });
  }

  /** What jobs in flight hold of the account's money, which the public API shows as spent already. */
  showHeld(session: Session): Promise<{ held_micros: Micros }> {
    return this.rights.request(ownMoneyRpc.showHeld, session, {});
  }

  /** What each key has spent in the last days. @throws ApiError invalid_query */
  async listKeySpend(session: Session, days?: string): Promise<KeySpendList> {
    const period = days === undefined ? {} : { days: readDays(days) };
    return this.rights.request(keySpendRpc.listSpend, session, period);
  }

  /** Null where it was never configured. */
  showAutoRecharge(session: Session): Promise<{ auto_recharge: ShownAutoRecharge | null }> {
    return this.rights.request(ownMoneyRpc.showAutoRecharge, session, {});
  }

  /** @throws ApiError invalid_body */
  async setAutoRecharge(session: Session, body: unknown): Promise<{ auto_recharge: ShownAutoRecharge }> {
    return { auto_recharge: await this.rights.request(ownMoneyRpc.setAutoRecharge, session, readChange(body)) };
  }
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
