import type { Micros } from '@kinora/contracts/shared/money';

/** Money that goes back to the card of a charge. */
export interface RefundOrder {
  /** Our id, the idempotency key. */
  id: string;
  charge: string;
  amount_micros: Micros;
}

export type RefundState = { state: 'succeeded'; reference: string } | { state: 'failed'; reason: string };

export type RefundReport = RefundState & {
  /** The provider's id of the refund. */
  reference: string;
  /** What was refunded in US dollars in the provider's own pages; null for a refund that billing has ordered. */
  refunded: { charge: string; amount_micros: Micros } | null;
};

/** `open`: the bank of the customer has taken the amount, and may still give it back. */
export interface DisputeReport {
  /** The provider's id of the dispute. */
  reference: string;
  charge: string;
  amount_micros: Micros;
  currency: string;
  state: 'open' | 'won' | 'lost';
}

/** What takes a payment back. */
export interface ReversalProvider {
  readonly name: 'sandbox' | 'stripe';

  /** Idempotent by the id of the order, however late it is repeated. If it throws, the outcome is unknown. */
  refund(order: RefundOrder): Promise<RefundState>;
  findRefund(reference: string): Promise<RefundReport>;
  /** Refunds that were made since a time, read page by page. */
  listRefunds(since: Date): AsyncIterable<RefundReport>;
  /** Null for a dispute that has taken no money. */
  findDispute(reference: string): Promise<DisputeReport | null>;
  /** Disputes that were opened since a time, read page by page. */
  listDisputes(since: Date): AsyncIterable<DisputeReport>;
}
