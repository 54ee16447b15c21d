import type { Micros } from '../shared/money';
import type { OperatorRequest } from './operator-action';

export interface TopUpRequest extends OperatorRequest {
  account_id: string;
  amount_micros: Micros;
  /** The operator's own reference of the payment, 1 to 100 characters. Repeating it adds nothing. */
  reference?: string;
}
