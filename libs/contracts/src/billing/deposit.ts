import type { Micros } from '../shared/money';
import type { AccountDetails } from './billing-admin.rpc';
import type { OperatorRequest } from './operator-action';

export interface TopUpRequest extends OperatorRequest {
  account_id: string;
  amount_micros: Micros;
  /** The operator's own name of the payment, 1 to 100 characters. The same one again adds nothing. */
  reference?: string;
}

/** The account after the change, and the line of its statement. */
export interface ToppedUpAccount extends AccountDetails {
  /** Absent in answers of older releases. */
  entry_id?: string;
  /** Whether an earlier request of the same reference has made the line already. */
  entry_repeated?: boolean;
}
