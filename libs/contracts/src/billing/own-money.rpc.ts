import { rpc } from '../shared/contract';
import type { Micros } from '../shared/money';
import type { PageRequest, PartialList } from '../shared/page';
import type { AutoRechargeDetails, PaymentDetails, SetAutoRechargeRequest } from './billing-admin.rpc';
import type { PresentedKeyRequest } from './portal.rpc';
import type { MonthStatement } from './statement';

/** Without the ids of the payment provider. */
export type ShownAutoRecharge = Omit<AutoRechargeDetails, 'payment_method' | 'customer'>;
export type ShownPayment = Omit<PaymentDetails, 'reference'>;

/** The switch, the amounts and a saved card of the account's own. */
export type SetOwnAutoRechargeRequest = PresentedKeyRequest &
  Pick<SetAutoRechargeRequest, 'enabled' | 'threshold_micros' | 'amount_micros' | 'monthly_cap_micros'> & {
    card_id?: string;
  };

export interface BalanceAlert {
  /** Null if the customer wants no warning. */
  threshold_micros: Micros | null;
  /** Whether the balance is below the threshold now. */
  is_below: boolean;
  /** What is owed for payments that went back. */
  owed_micros: Micros;
}

export type ListOwnPaymentsRequest = PresentedKeyRequest & PageRequest;

const REFUSALS = ['invalid_api_key', 'scope_required'] as const;

/** The money of the account whose key the request proves. No request names an account. */
export const ownMoneyRpc = {
  /** What jobs in flight hold, for keys of every scope. */
  showHeld: rpc<PresentedKeyRequest, { held_micros: Micros }>('billing.v1.show_own_held', {
    errors: ['invalid_api_key'],
  }),
  /** The statement of a month in UTC, such as 2026-11. */
  showMonth: rpc<PresentedKeyRequest & { month: string }, MonthStatement>('billing.v1.show_own_month', {
    timeoutMs: 10_000,
    errors: [...REFUSALS, 'invalid_body'],
  }),
  /** What the customer wants to be warned of. */
  showBalanceAlert: rpc<PresentedKeyRequest, BalanceAlert>('billing.v1.show_own_balance_alert', {
    errors: [...REFUSALS],
  }),
  setBalanceAlert: rpc<PresentedKeyRequest & { threshold_micros: Micros | null }, BalanceAlert>(
    'billing.v1.set_own_balance_alert',
    { errors: [...REFUSALS, 'invalid_body'] },
  ),
  /** Null if it was never configured. */
  showAutoRecharge: rpc<PresentedKeyRequest, { auto_recharge: ShownAutoRecharge | null }>(
    'billing.v1.show_own_auto_recharge',
    { errors: [...REFUSALS] },
  ),
  setAutoRecharge: rpc<SetOwnAutoRechargeRequest, ShownAutoRecharge>('billing.v1.set_own_auto_recharge', {
    timeoutMs: 25_000,
    errors: [...REFUSALS, 'invalid_body', 'not_found'],
  }),
  /** The charges of the account, newest first, at most 1,000 a page. */
  listPayments: rpc<ListOwnPaymentsRequest, PartialList<ShownPayment>>('billing.v1.list_own_payments', {
    errors: [...REFUSALS, 'invalid_body'],
  }),
} as const;

export interface KeySpendRequest extends PresentedKeyRequest {
  /** The last days of UTC, today included: 1 to 366. Defaults to 30. */
  days?: number;
}

/** What the jobs of one key have cost. */
export interface KeySpend {
  /** Null for the keys of portal sessions, which are one line together. */
  api_key_id: string | null;
  name: string | null;
  prefix: string | null;
  revoked_at: string | null;
  /** Jobs that succeeded. */
  jobs: number;
  /** What was captured for them. Jobs in flight are not in it, and neither are refunds. */
  charged_micros: Micros;
}

export interface KeySpendList {
  /** The first day of the period. */
  from: string;
  /** Its last day. */
  to: string;
  /** The keys that have spent something, the dearest first; a hundred at most. */
  data: KeySpend[];
  has_more: boolean;
}

export const keySpendRpc = {
  /** The spend of each key that the presented key manages, also of revoked ones. A job counts on the day on which it was created. */
  listSpend: rpc<KeySpendRequest, KeySpendList>('billing.v1.list_key_spend', {
    errors: ['invalid_api_key', 'scope_required', 'invalid_body'],
  }),
} as const;
