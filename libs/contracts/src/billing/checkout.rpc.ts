import { rpc } from '../shared/contract';
import type { Micros } from '../shared/money';
import type { PresentedKeyRequest } from './portal.rpc';

/** What a customer may pay in, as the operator has set it. */
export interface TopUpOffer {
  /** The payment provider that shows the page; null if this installation takes no payments. */
  provider: string | null;
  min_micros: Micros;
  max_micros: Micros;
  suggestions_micros: Micros[];
}

export interface CreateCheckoutRequest extends PresentedKeyRequest {
  /** Whole cents, within the bounds of the offer. */
  amount_micros: Micros;
  /** Whether the provider keeps the card, for auto-recharge. */
  saves_card: boolean;
  /** The customer's network address, whose checkouts are limited. */
  address: string;
  /** Where the customer comes back to; billing appends the id of the payment. */
  return_url: string;
  /** Of the member who pays; left out for the session of a key. */
  receipt_email?: string;
}

/** A payment by a page of the payment provider, as it stands. */
export interface Checkout {
  payment_id: string;
  provider: string;
  amount_micros: Micros;
  /** `open`: not paid yet. `refused`: the provider's record does not fit the payment, and an operator must look at it. */
  state: 'open' | 'paid' | 'expired' | 'refused';
  /** The provider's page; null once the payment has ended. */
  url: string | null;
  saves_card: boolean;
  /** The invoice at the provider; null if there is none. */
  invoice_url: string | null;
  created_at: string;
  ended_at: string | null;
}

const REFUSALS = ['invalid_api_key', 'scope_required'] as const;

/** Payments by the page of the payment provider, of the account whose key the request proves. */
export const checkoutRpc = {
  showOffer: rpc<PresentedKeyRequest, TopUpOffer>('billing.v1.show_top_up_offer', { errors: [...REFUSALS] }),
  /** Stores the payment, then opens the page for it. */
  create: rpc<CreateCheckoutRequest, Checkout>('billing.v1.create_checkout', {
    timeoutMs: 25_000,
    errors: [...REFUSALS, 'invalid_body', 'rate_limited', 'account_suspended', 'account_closed'],
  }),
  /** An open payment is looked up at the provider first. */
  show: rpc<PresentedKeyRequest & { payment_id: string }, Checkout>('billing.v1.show_checkout', {
    timeoutMs: 25_000,
    errors: [...REFUSALS, 'invalid_body', 'not_found'],
  }),
} as const;

/** An event of the payment provider, whose signature the gateway has verified. It says only what to look up. */
export interface PaymentEvent {
  provider: 'stripe';
  /** Such as `checkout.session.completed`. */
  type: string;
  /** The provider's id of the object that has changed. */
  object_id: string;
}

export const paymentEventRpc = {
  /** Idempotent. `handled` is false for an event about something that billing does not know. */
  receive: rpc<PaymentEvent, { handled: boolean }>('billing.v1.receive_payment_event', { timeoutMs: 9_000 }),
} as const;

/** A page of the sandbox provider, at which no money moves. */
export interface Rehearsal {
  payment_id: string;
  amount_micros: Micros;
  state: 'open' | 'paid' | 'expired';
  saves_card: boolean;
  /** Where the customer goes back to. */
  return_url: string;
  /** The cards that the customer can pay with. */
  cards: { card: string; label: string; number: string }[];
}

export interface PayRehearsalRequest extends PresentedKeyRequest {
  payment_id: string;
  /** One of the rehearsal's cards. */
  card: string;
  /** Whether the customer has taken the second step that some cards need. */
  is_confirmed: boolean;
}

/** The page of the sandbox provider, which stands for the one of Stripe. */
export const rehearsalRpc = {
  show: rpc<PresentedKeyRequest & { payment_id: string }, Rehearsal>('billing.v1.show_rehearsal', {
    errors: [...REFUSALS, 'invalid_body', 'not_found'],
  }),
  pay: rpc<PayRehearsalRequest, { outcome: 'paid' | 'declined' | 'needs_confirmation' }>('billing.v1.pay_rehearsal', {
    errors: [...REFUSALS, 'invalid_body', 'not_found'],
  }),
} as const;

export interface PaymentsExamination {
  /** Null if this installation takes no payments. */
  provider: string | null;
  problems: string[];
}

export const paymentsHealthRpc = {
  /** Asks the provider whether the key works, who receives its webhooks, and what time it is. */
  examine: rpc<Record<string, never>, PaymentsExamination>('billing.v1.examine_payments'),
} as const;
