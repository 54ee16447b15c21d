import type { Micros } from '@kinora/contracts/shared/money';

/** One charge of one account, independent of the payment provider. */
export interface PaymentOrder {
  /** Our id, stored before the provider receives it. It identifies the charge. */
  id: string;
  account_id: string;
  amount_micros: Micros;
  /** The provider's id of the payment method. */
  payment_method: string;
  /** The provider's id of the customer; null if the provider needs none. */
  customer: string | null;
}

export type PaymentOutcome = { state: 'succeeded' } | { state: 'failed'; reason: string };

/**
 * The state of an order. `unpaid`: the provider confirms that it received no charge request. `under_way`: the outcome is
 * still open.
 */
export type PaymentState = PaymentOutcome | { state: 'unpaid' | 'under_way' };

/**
 * Charges customers. An order is opened first, which moves no money, so its reference is stored before any charge. If a
 * response is lost, the reference can be looked up, so an order is charged at most once. If a method throws anything but
 * PaymentRefused, the outcome is unknown.
 */
export interface PaymentProvider {
  readonly name: 'sandbox' | 'stripe';
  /** The payment method if the operator names none; null if the operator must name one. */
  readonly defaultMethod: string | null;

  /**
   * Opens an order and returns its reference. Idempotent: repeated calls return the same reference.
   * @throws PaymentRefused if the order can never be charged
   */
  open(order: PaymentOrder): Promise<string>;
  /** Charges an order and calls `report` with the outcome: possibly not in this call, possibly more than once. */
  charge(order: PaymentOrder, reference: string, report: (outcome: PaymentOutcome) => Promise<void>): Promise<void>;
  find(reference: string): Promise<PaymentState>;
}

export class PaymentRefused extends Error {
  /** A short code that operators and the account may see. */
  constructor(readonly reason: string) {
    super(`the payment was refused: ${reason}`);
    this.name = 'PaymentRefused';
  }
}
