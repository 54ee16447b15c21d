import { rpc } from '../shared/contract';
import type { Micros } from '../shared/money';
import type { OperatorRequest } from './operator-action';

export interface RefundPaymentRequest extends OperatorRequest {
  account_id: string;
  /** A payment that has arrived, of either kind. */
  payment_id: string;
  /** Whole cents, at most what is left of the payment and of the balance. */
  amount_micros: Micros;
  reason: string;
  /** The operator's own id of the refund: a repeat changes nothing. */
  refund_id?: string;
}

export interface PaymentRefundDetails {
  refund_id: string;
  payment_id: string;
  amount_micros: Micros;
  /** `begun`: it has left the balance, and the provider has not answered yet. `failed`: it is in the balance again. */
  state: 'begun' | 'succeeded' | 'failed';
}

export const reversalRpc = {
  /** Takes the amount from the balance, then gives it back to the card. */
  refundPayment: rpc<RefundPaymentRequest, PaymentRefundDetails>('billing.v1.refund_payment', {
    timeoutMs: 30_000,
    errors: ['not_found', 'invalid_body'],
  }),
} as const;
