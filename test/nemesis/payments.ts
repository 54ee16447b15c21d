import { createHash, randomUUID } from 'node:crypto';
import { type PaymentDetails, billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { checkoutRpc } from '@kinora/contracts/billing/checkout.rpc';
import { reversalRpc } from '@kinora/contracts/billing/reversal.rpc';
import type { Bus } from '@kinora/bus';
import { onBus } from '../support/operator';
import { DOLLAR_MICROS, paidMicros, type RestingPayment } from './history';
import { type PaymentPages, SANDBOX_PAGES, StripePaymentPages } from './payment-pages';
import type { NemesisStack } from './stack';
import type { Card, Operation } from './swarm';

export interface OpenedAccount {
  accountId: string;
  apiKey: string;
  webhookSecret: string;
}

/** A page of the payment provider that a customer has opened. */
interface OpenedPayment {
  operation: number;
  account: number;
  card: Card;
  paymentId: string;
  amountMicros: number;
}

/** Payments by the page of a provider, whose record decides what was paid. */
export class Payments {
  private readonly opened: OpenedPayment[] = [];
  private readonly refundIds = new Map<number, string>();

  private readonly pages: PaymentPages;

  constructor(
    private readonly stack: NemesisStack,
    private readonly accounts: OpenedAccount[],
  ) {
    const { stripe } = stack.dependencies;
    this.pages = stripe ? new StripePaymentPages(stripe.pages, [stack.baseUrl(0), stack.baseUrl(1)]) : SANDBOX_PAGES;
  }

  /** Opens a page, pays it, and then has the provider's event twice while the customer comes back. */
  async pay({ id: operation, account, amount, card }: Operation): Promise<{ status: number; code: string | null }> {
    return await onBus(this.stack.stack, async (bus) => {
      const amountMicros = paidMicros(amount);
      const key = this.keyOf(account);
      const { payment_id } = await bus.request(checkoutRpc.create, {
        ...key,
        amount_micros: amountMicros,
        saves_card: false,
        address: this.accountAt(account).accountId,
        return_url: 'http://127.0.0.1/billing',
      });
      const opened = { operation, account, card, paymentId: payment_id, amountMicros };
      this.opened.push(opened);
      const request = { ...key, payment_id };
      const outcome = await this.pages.pay(bus, request, card);
      await Promise.allSettled([this.pages.report(bus, payment_id), bus.request(checkoutRpc.show, request)]);
      return { status: 200, code: outcome };
    });
  }

  /** Null where the payment was not opened. A repeat has the id of the first request. */
  refund({ id, of, account, amount }: Operation): (() => Promise<{ status: number; code: string }>) | null {
    const payment = this.opened.find(({ operation }) => operation === of);
    if (!payment) return null;
    const refund_id = this.refundIds.get(id) ?? randomUUID();
    this.refundIds.set(id, refund_id);
    const { accountId } = this.accountAt(account);
    const request = { account_id: accountId, payment_id: payment.paymentId, reason: 'asked for', refund_id };
    return () =>
      onBus(this.stack.stack, async (bus) => {
        const { state } = await bus.request(reversalRpc.refundPayment, {
          ...request,
          amount_micros: amount * DOLLAR_MICROS,
        });
        return { status: 200, code: state };
      });
  }

  /** What the provider, the customer and the operator see of each payment. */
  async read(): Promise<RestingPayment[]> {
    return await onBus(this.stack.stack, async (bus) => {
      const details = new Map<string, PaymentDetails>();
      for (const { accountId } of this.accounts) {
        const { data } = await bus.request(billingAdminRpc.listPayments, { account_id: accountId });
        for (const one of data) details.set(one.payment_id, one);
      }
      const read: RestingPayment[] = [];
      for (const payment of this.opened) read.push(await this.readOne(bus, payment, details.get(payment.paymentId)));
      return read;
    });
  }

  private async readOne(bus: Bus, payment: OpenedPayment, details?: PaymentDetails): Promise<RestingPayment> {
    const { operation, account, card, amountMicros, paymentId } = payment;
    const request = { ...this.keyOf(account), payment_id: paymentId };
    const isPaid = await this.pages.isPaid(bus, request);
    const { state } = await bus.request(checkoutRpc.show, request);
    const [refundedMicros, dispute] = [details?.refunded_micros ?? 0, details?.dispute ?? null];
    const returnedMicros = this.pages.returnedMicros(paymentId) ?? refundedMicros;
    return { operation, account, card, amountMicros, isPaid, state, refundedMicros, returnedMicros, dispute };
  }

  private keyOf(account: number): { key_sha256: string } {
    return { key_sha256: createHash('sha256').update(this.accountAt(account).apiKey).digest('hex') };
  }

  private accountAt(account: number): OpenedAccount {
    return this.accounts[account] as OpenedAccount;
  }
}
