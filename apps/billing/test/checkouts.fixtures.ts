import type { Checkout, CreateCheckoutRequest } from '@kinora/contracts/billing/checkout.rpc';
import { statement } from '@kinora/database';
import { PaymentEventsController } from '../src/payment-events.controller';
import { CreateCheckout } from '../src/use-cases/create-checkout.use-case';
import { ShowCheckout, SweepCheckouts } from '../src/use-cases/settle-checkouts.use-case';
import type { TestBilling } from './billing.fixtures';
import type { StripePages } from './stripe-pages.fixtures';

export const USD = 1_000_000;

const MAKE_DUE = statement(
  'spec_make_checkouts_due',
  'UPDATE checkout SET next_check_at = now(), looked_up_at = NULL WHERE ended_at IS NULL',
);

/** An account that pays in by the pages of a fake Stripe. */
export class PayingAccount {
  private constructor(
    private readonly billing: TestBilling,
    private readonly pages: () => StripePages,
    readonly account_id: string,
  ) {}

  static async open(billing: TestBilling, pages: () => StripePages): Promise<PayingAccount> {
    return new PayingAccount(billing, pages, (await billing.createAccount()).account_id);
  }

  /** The same account at several processes. */
  static async openAt(replicas: readonly TestBilling[], pages: () => StripePages): Promise<PayingAccount[]> {
    const [first, ...others] = replicas;
    if (!first) throw new Error('At least one process is needed.');
    const { account_id } = await first.createAccount();
    return [first, ...others].map((billing) => new PayingAccount(billing, pages, account_id));
  }

  checkout(request: Partial<CreateCheckoutRequest> = {}): Promise<Checkout> {
    const defaults = { amount_micros: 25 * USD, saves_card: false, address: '198.51.100.7' };
    const return_url = 'https://console.example/money/top-ups';
    return this.billing.get(CreateCheckout).execute({
      ...{ ...defaults, return_url, ...request },
      account_id: this.account_id,
    });
  }

  /** The customer's browser comes back. */
  show({ payment_id }: Pick<Checkout, 'payment_id'>): Promise<Checkout> {
    return this.billing.get(ShowCheckout).execute({ account_id: this.account_id, payment_id });
  }

  webhook({ payment_id }: Pick<Checkout, 'payment_id'>, type = 'completed'): Promise<{ handled: boolean }> {
    const object_id = this.pages().of(payment_id).id;
    const event = { provider: 'stripe', type: `checkout.session.${type}`, object_id } as const;
    return this.billing.get(PaymentEventsController).receive(event);
  }

  async balance(): Promise<number> {
    return (await this.billing.show(this.account_id)).balance_micros;
  }
}

/** A sweep at a time at which every open checkout is due. */
export async function sweepAll(billing: TestBilling): Promise<void> {
  await billing.database.execute(MAKE_DUE);
  while ((await billing.get(SweepCheckouts).execute()) > 0);
}
