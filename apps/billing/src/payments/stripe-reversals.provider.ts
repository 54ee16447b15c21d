import Stripe from 'stripe';
import type { DisputeReport, RefundOrder, RefundReport, RefundState, ReversalProvider } from './reversal-provider.port';
import { createStripe, fromCents, idOf, reasonOf, type StripeAccess, toCents } from './stripe-client';

const PAGE = 100;

/** Refunds and disputes of Stripe's charges, which a PaymentIntent names. */
export class StripeReversals implements ReversalProvider {
  readonly name = 'stripe';
  private readonly stripe: Stripe;

  constructor(access: StripeAccess) {
    this.stripe = createStripe(access);
  }

  async refund({ id, charge, amount_micros }: RefundOrder): Promise<RefundState> {
    // Stripe forgets idempotency keys after a day, and a refund may be resumed later.
    const made = await this.stripe.refunds.list({ payment_intent: charge, limit: PAGE });
    const known = made.data.find(({ metadata }) => metadata?.['kinora_refund_id'] === id);
    if (known) return toRefundState(known);
    const metadata = { kinora_refund_id: id };
    const request = { payment_intent: charge, amount: toCents(amount_micros), metadata };
    try {
      return toRefundState(await this.stripe.refunds.create(request, { idempotencyKey: `${id}-refund` }));
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return { state: 'failed', reason: reasonOf(error) };
      throw error;
    }
  }

  async findRefund(reference: string): Promise<RefundReport> {
    return toRefundReport(await this.stripe.refunds.retrieve(reference));
  }

  async *listRefunds(since: Date): AsyncGenerator<RefundReport, void> {
    for await (const refund of this.stripe.refunds.list(pagesSince(since))) yield toRefundReport(refund);
  }

  async findDispute(reference: string): Promise<DisputeReport | null> {
    return toDisputeReport(await this.stripe.disputes.retrieve(reference));
  }

  async *listDisputes(since: Date): AsyncGenerator<DisputeReport, void> {
    for await (const dispute of this.stripe.disputes.list(pagesSince(since))) {
      const report = toDisputeReport(dispute);
      if (report) yield report;
    }
  }
}

/** The client reads the next page when the last one is used up. */
function pagesSince(since: Date): { created: { gte: number }; limit: number } {
  return { created: { gte: Math.floor(since.getTime() / 1_000) }, limit: PAGE };
}

/** A pending refund has left the account at Stripe already. */
function toRefundState({ id, status, failure_reason }: Stripe.Refund): RefundState {
  if (status === 'failed' || status === 'canceled') return { state: 'failed', reason: failure_reason ?? status };
  return { state: 'succeeded', reference: id };
}

function toRefundReport(refund: Stripe.Refund): RefundReport {
  const { id: reference, metadata, payment_intent, amount, currency } = refund;
  const charge = idOf(payment_intent);
  const isForeign = !metadata?.['kinora_refund_id'] && charge !== null && currency === 'usd';
  const refunded = isForeign ? { charge, amount_micros: fromCents(amount) } : null;
  return { ...toRefundState(refund), reference, refunded };
}

const ENDS: Readonly<Record<string, 'won' | 'lost'>> = { won: 'won', lost: 'lost' };

/** An inquiry (`warning_…`) takes no money. */
function toDisputeReport({ id, status, payment_intent, amount, currency }: Stripe.Dispute): DisputeReport | null {
  const charge = idOf(payment_intent);
  if (charge === null || status.startsWith('warning_') || status === 'prevented') return null;
  return { reference: id, charge, amount_micros: fromCents(amount), currency, state: ENDS[status] ?? 'open' };
}
