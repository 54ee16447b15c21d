import type { Card } from '@kinora/contracts/billing/cards.rpc';
import type { Micros } from '@kinora/contracts/shared/money';

/** A payment by a page of the provider. Amounts are US dollars; the page cannot change them. */
export interface CheckoutOrder {
  /** Our id, stored before the provider receives it. It is the idempotency key. */
  id: string;
  account_id: string;
  amount_micros: Micros;
  /** The provider's id of the customer. */
  customer: string;
  saves_card: boolean;
  /** Where the provider sends the receipt, if it sends any. */
  receipt_email: string | null;
  /** Where the customer comes back to. */
  return_url: string;
  expires_at: Date;
}

/** What the provider says of a page. `open`: it can still be paid. `expired`: it never can. */
export type CheckoutState = { state: 'open' } | { state: 'expired' } | PaidCheckout;

export interface PaidCheckout {
  state: 'paid';
  /** The ids and the amount that the provider has stored with the page, which must be those of the payment. */
  payment_id: string | null;
  account_id: string | null;
  /** Without tax. */
  amount_micros: Micros;
  currency: string;
  /** The provider's id of the charge, by which refunds and disputes name it. */
  charge: string;
  invoice_url: string | null;
}

/** Payment pages of the provider, and the cards that it saves there. */
export interface CheckoutProvider {
  readonly name: 'sandbox' | 'stripe';
  /** Whether the provider sends a receipt of a paid page by e-mail. */
  readonly sendsReceipts: boolean;

  /** The provider's customer of an account; repeated calls return the same one. */
  openCustomer(account: { account_id: string; name: string }): Promise<string>;
  /** Idempotent by the id of the order. @throws PaymentRefused if there can be no page for it */
  openCheckout(order: CheckoutOrder): Promise<{ reference: string; url: string }>;
  findCheckout(reference: string): Promise<CheckoutState>;
  listCards(customer: string): Promise<Card[]>;
  /** Forgets a card of the customer's; one of another customer must be refused before. */
  removeCard(cardId: string): Promise<void>;
  /** What keeps payments from arriving, one sentence each. @throws Error if the provider refuses the key, or does not answer */
  findProblems(): Promise<string[]>;
}
