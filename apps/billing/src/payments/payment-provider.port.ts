import type { Micros } from '@kinora/contracts/shared/money';

/** One charge of one account, in the words that every payment company understands. */
export interface PaymentOrder {
  /** Chosen by us and written down before anybody else hears of it: what the charge is recognised by. */
  id: string;
  account_id: string;
  amount_micros: Micros;
  /** What to charge, as the provider calls it. */
  payment_method: string;
  /** Whose it is, where the provider wants to know. */
  customer: string | null;
}

export type PaymentOutcome = { state: 'succeeded' } | { state: 'failed'; reason: string };

/**
 * How an order stands. `unpaid` is the provider's word that it was never asked to charge; `under_way`, that it has not
 * made up its mind.
 */
export type PaymentState = PaymentOutcome | { state: 'unpaid' | 'under_way' };

/**
 * Charges customers. An order is opened first, which moves no money, so that its reference is known by the time that
 * money moves: whatever gets lost then, the reference can be looked up, and an order is charged at most once.
 * A method that throws anything but PaymentRefused leaves the outcome unknown.
 */
export interface PaymentProvider {
  readonly name: 'sandbox' | 'stripe';
  /** What is charged where an operator names nothing; null where something must be named. */
  readonly defaultMethod: string | null;

  /**
   * The order's reference, the same one however often it is asked for.
   * @throws PaymentRefused where the order can never be charged.
   */
  open(order: PaymentOrder): Promise<string>;
  /** Charges an order, and tells how that went: perhaps not now, perhaps more than once. */
  charge(order: PaymentOrder, reference: string, report: (outcome: PaymentOutcome) => Promise<void>): Promise<void>;
  find(reference: string): Promise<PaymentState>;
}

export class PaymentRefused extends Error {
  /** A word or two that operators and the account may see. */
  constructor(readonly reason: string) {
    super(`the payment was refused: ${reason}`);
    this.name = 'PaymentRefused';
  }
}
