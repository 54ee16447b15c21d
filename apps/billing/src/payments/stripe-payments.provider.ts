import Stripe from 'stripe';
import {
  type PaymentOrder,
  type PaymentOutcome,
  type PaymentProvider,
  PaymentRefused,
  type PaymentState,
} from './payment-provider.port';
import { createStripe, reasonOf, type StripeAccess, toCents } from './stripe-client';

/**
 * Charges saved cards through Stripe off-session. An order is a PaymentIntent, which is created unconfirmed and can be
 * paid only once. Its state is polled, so no Stripe webhook is needed.
 */
export class StripePayments implements PaymentProvider {
  readonly name = 'stripe';
  readonly defaultMethod = null;
  private readonly stripe: Stripe;

  constructor(access: StripeAccess) {
    this.stripe = createStripe(access);
  }

  async open({ id, account_id, amount_micros, payment_method, customer }: PaymentOrder): Promise<string> {
    const request: Stripe.PaymentIntentCreateParams = {
      amount: toCents(amount_micros),
      currency: 'usd',
      payment_method,
      // The customer is absent, so no redirect to a bank page is possible.
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      metadata: { kinora_payment_id: id, kinora_account_id: account_id },
      ...(customer !== null && { customer }),
    };
    try {
      return (await this.stripe.paymentIntents.create(request, { idempotencyKey: `${id}-open` })).id;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) throw new PaymentRefused(reasonOf(error));
      throw error;
    }
  }

  async charge(
    { id }: PaymentOrder,
    reference: string,
    report: (outcome: PaymentOutcome) => Promise<void>,
  ): Promise<void> {
    const state = await this.confirm(id, reference);
    if (state.state === 'succeeded' || state.state === 'failed') await report(state);
  }

  async find(reference: string): Promise<PaymentState> {
    return toPaymentState(await this.stripe.paymentIntents.retrieve(reference));
  }

  private async confirm(id: string, reference: string): Promise<PaymentState> {
    try {
      const options = { idempotencyKey: `${id}-charge` };
      return toPaymentState(await this.stripe.paymentIntents.confirm(reference, { off_session: true }, options));
    } catch (error) {
      if (error instanceof Stripe.errors.StripeCardError) return { state: 'failed', reason: reasonOf(error) };
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return this.withdraw(reference, reasonOf(error));
      throw error;
    }
  }

  /**
   * Cancels an order that Stripe will never charge, for example with a detached card, so that it does not stay open.
   * @throws if it was charged after all
   */
  private async withdraw(reference: string, reason: string): Promise<PaymentOutcome> {
    await this.stripe.paymentIntents.cancel(reference);
    return { state: 'failed', reason };
  }
}

function toPaymentState(intent: Stripe.PaymentIntent): PaymentState {
  switch (intent.status) {
    case 'succeeded':
      return { state: 'succeeded' };
    case 'requires_confirmation':
      return { state: 'unpaid' };
    case 'requires_action':
      return { state: 'failed', reason: 'authentication_required' };
    case 'requires_payment_method':
      return { state: 'failed', reason: reasonOf(intent.last_payment_error ?? {}) };
    case 'canceled':
      return { state: 'failed', reason: 'canceled' };
    case 'processing':
    case 'requires_capture':
    // Unknown future states of Stripe count as undecided.
    default:
      return { state: 'under_way' };
  }
}
