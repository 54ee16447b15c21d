import type { Card } from '@kinora/contracts/billing/cards.rpc';
import Stripe from 'stripe';
import type { CheckoutOrder, CheckoutProvider, CheckoutState } from './checkout-provider.port';
import { PaymentRefused } from './payment-provider.port';
import { createStripe, fromCents, idOf, reasonOf, type StripeAccess, toCents } from './stripe-client';

const WEBHOOK_PATH = '/stripe/webhooks';
/** Below the age that the gateway allows a signature. */
const MAX_SKEW_MS = 60_000;
/** What stands on the invoice. */
const ITEM = 'Credit';

/** Stripe's hosted page of Checkout. */
export class StripeCheckouts implements CheckoutProvider {
  readonly name = 'stripe';
  readonly sendsReceipts = true;
  private readonly stripe: Stripe;

  constructor(private readonly access: StripeAccess & { addsTax: boolean }) {
    this.stripe = createStripe(access);
  }

  async openCustomer({ account_id, name }: { account_id: string; name: string }): Promise<string> {
    const metadata = { kinora_account_id: account_id };
    const options = { idempotencyKey: `${account_id}-customer` };
    return (await this.stripe.customers.create({ name, metadata }, options)).id;
  }

  async openCheckout(order: CheckoutOrder): Promise<{ reference: string; url: string }> {
    try {
      const options = { idempotencyKey: `${order.id}-checkout` };
      const { id, url } = await this.stripe.checkout.sessions.create(this.requestOf(order), options);
      if (!url) throw new PaymentRefused('no_page');
      return { reference: id, url };
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) throw new PaymentRefused(reasonOf(error));
      throw error;
    }
  }

  async findCheckout(reference: string): Promise<CheckoutState> {
    const session = await this.stripe.checkout.sessions.retrieve(reference, { expand: ['invoice'] });
    const charge = idOf(session.payment_intent);
    if (session.status === 'expired') return { state: 'expired' };
    if (session.payment_status !== 'paid' || charge === null) return { state: 'open' };
    return {
      state: 'paid',
      payment_id: session.client_reference_id,
      account_id: session.metadata?.['kinora_account_id'] ?? null,
      amount_micros: fromCents(session.amount_subtotal ?? 0),
      currency: session.currency ?? '',
      charge,
      invoice_url: typeof session.invoice === 'object' ? (session.invoice?.hosted_invoice_url ?? null) : null,
    };
  }

  async listCards(customer: string): Promise<Card[]> {
    const { data } = await this.stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 100 });
    return data.flatMap(({ id, card }) => (card ? [toCard(id, card)] : []));
  }

  async removeCard(cardId: string): Promise<void> {
    await this.stripe.paymentMethods.detach(cardId);
  }

  async findProblems(): Promise<string[]> {
    const { data, lastResponse } = await this.stripe.webhookEndpoints.list({ limit: 100 });
    const isOurs = ({ status, url }: Stripe.WebhookEndpoint) => status === 'enabled' && url.endsWith(WEBHOOK_PATH);
    const skewMs = Math.abs(Date.now() - Date.parse(lastResponse.headers['date'] ?? ''));
    return [
      ...(data.some(isOurs)
        ? []
        : [`No enabled webhook endpoint at Stripe ends with ${WEBHOOK_PATH}: credits are late.`]),
      ...(skewMs > MAX_SKEW_MS
        ? [`The clock here is ${Math.round(skewMs / 1_000)} s off: signatures are refused.`]
        : []),
    ];
  }

  /** The same for a repeat, because Stripe refuses an idempotency key with other parameters. */
  private requestOf(order: CheckoutOrder): Stripe.Checkout.SessionCreateParams {
    const { id, account_id, amount_micros, customer, saves_card, receipt_email, return_url, expires_at } = order;
    const metadata = { kinora_payment_id: id, kinora_account_id: account_id };
    const product_data = { name: ITEM };
    return {
      mode: 'payment',
      // No method that decides days later: a page is paid when the customer comes back.
      allowed_payment_method_types: ['card'],
      client_reference_id: id,
      customer,
      customer_update: { address: 'auto', name: 'auto' },
      line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: toCents(amount_micros), product_data } }],
      invoice_creation: { enabled: true },
      automatic_tax: { enabled: this.access.addsTax },
      tax_id_collection: { enabled: true },
      payment_intent_data: {
        metadata,
        ...(saves_card && { setup_future_usage: 'off_session' }),
        ...(receipt_email !== null && { receipt_email }),
      },
      metadata,
      success_url: return_url,
      cancel_url: return_url,
      expires_at: Math.floor(expires_at.getTime() / 1_000),
    };
  }
}

function toCard(card_id: string, { brand, last4, exp_month, exp_year }: Stripe.PaymentMethod.Card): Card {
  return { card_id, brand, last4, exp_month, exp_year };
}
