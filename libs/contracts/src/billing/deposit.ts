import type { Micros } from '../shared/money';
import type { OperatorRequest } from './operator-action';

export interface TopUpRequest extends OperatorRequest {
  account_id: string;
  amount_micros: Micros;
  /** The operator's own name of the payment, 1 to 100 characters. The same one again adds nothing. */
  reference?: string;
}
