import type { Micros } from '../shared/money';
import type { OperatorRequest } from './operator-action';

export interface TopUpRequest extends OperatorRequest {
  account_id: string;
  amount_micros: Micros;
  /** The operator's own reference of the payment, 1 to 100 characters. Repeating it adds nothing. */
  reference?: string;
}

export interface GrantCreditRequest extends TopUpRequest {
  /**
   * The job whose price is given back. Billing refuses it unless the charge of the job is booked and covers the amount, and
   * sets the reference by the job, so that a job is given back once.
   */
  refunded_job_id?: string;
}
