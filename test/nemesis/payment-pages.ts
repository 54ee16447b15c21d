import { setTimeout as delay } from 'node:timers/promises';
import { type PaymentEvent, paymentEventRpc, rehearsalRpc } from '@kinora/contracts/billing/checkout.rpc';
import type { PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import type { Bus } from '@kinora/bus';
import Stripe from 'stripe';
import type { StripePages } from '../../apps/billing/test/stripe-pages.fixtures';
import { sum } from './history';
import { DISPUTED_CARDS, type Card } from './swarm';

const PAID = 'checkout.session.completed';
const DISPUTED = 'charge.dispute.created';
const CENT_MICROS = 10_000;
export const STRIPE_WEBHOOK_SECRET = 'whsec_nemesis';
const REPORT_AGAIN_MS = 1_000;
const REPORT_TIMEOUT_MS = 5_000;
const MOST_ATTEMPTS = 60;

type PageRequest = PresentedKeyRequest & { payment_id: string };

/** The pages of a provider, at which customers pay, and what it says about them. */
export interface PaymentPages {
  /** @returns the provider's outcome. */
  pay(bus: Bus, request: PageRequest, card: Card): Promise<string>;
  /** Sends each event of the payment twice. */
  report(bus: Bus, paymentId: string): Promise<void>;
  isPaid(bus: Bus, request: PageRequest): Promise<boolean>;
  /** What has gone back to the card; null where the provider has no record of its own. */
  returnedMicros(paymentId: string): number | null;
}

export const SANDBOX_PAGES: PaymentPages = {
  pay: async (bus, request, card) =>
    (await bus.request(rehearsalRpc.pay, { ...request, card, is_confirmed: true })).outcome,
  report: async (bus, paymentId) => {
    const event = { provider: 'sandbox', type: PAID, object_id: `sandbox_cs_${paymentId}` };
    const reports = [0, 1].map(() => bus.request(paymentEventRpc.receive, event as unknown as PaymentEvent));
    await Promise.allSettled(reports);
  },
  isPaid: async (bus, request) => (await bus.request(rehearsalRpc.show, request)).state === 'paid',
  returnedMicros: () => null,
};

/** Stripe's fake, each of whose webhooks comes to both gateways. */
export class StripePaymentPages implements PaymentPages {
  constructor(
    private readonly pages: StripePages,
    private readonly baseUrls: readonly string[],
  ) {}

  pay(_bus: Bus, { payment_id }: PageRequest, card: Card): Promise<string> {
    if (card === 'declined') return Promise.resolve(card);
    this.pages.pay(payment_id);
    if (DISPUTED_CARDS.includes(card))
      this.pages.dispute(payment_id, { status: card === 'dispute_won' ? 'won' : 'needs_response' });
    return Promise.resolve('paid');
  }

  /** A dispute follows its payment. */
  async report(_bus: Bus, paymentId: string): Promise<void> {
    const session = this.pages.of(paymentId);
    if (session.payment_status !== 'paid') return;
    await this.sendTwice(PAID, session.id);
    const dispute = this.pages.disputes.find(({ payment_intent }) => payment_intent === session.payment_intent);
    if (dispute) await this.sendTwice(DISPUTED, dispute.id);
  }

  isPaid(_bus: Bus, { payment_id }: PageRequest): Promise<boolean> {
    return Promise.resolve(this.pages.of(payment_id).payment_status === 'paid');
  }

  returnedMicros(paymentId: string): number {
    const { payment_intent: charge } = this.pages.of(paymentId);
    const returned = this.pages.refunds.filter(({ payment_intent }) => payment_intent === charge);
    return sum(returned.map(({ amount }) => amount * CENT_MICROS));
  }

  /** To each gateway, until it has answered. */
  private async sendTwice(type: string, id: string): Promise<void> {
    const payload = JSON.stringify({ id: `evt_${type}_${id}`, object: 'event', type, data: { object: { id } } });
    await Promise.all(
      this.baseUrls.map(async (baseUrl) => {
        for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
          if (await isTaken(new URL('/stripe/webhooks', baseUrl), payload)) return;
          await delay(REPORT_AGAIN_MS);
        }
      }),
    );
  }
}

async function isTaken(url: URL, payload: string): Promise<boolean> {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: STRIPE_WEBHOOK_SECRET });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    body: payload,
    signal: AbortSignal.timeout(REPORT_TIMEOUT_MS),
  }).catch(() => null);
  return response?.status === 200;
}
