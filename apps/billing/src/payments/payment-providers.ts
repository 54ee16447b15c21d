import { Injectable } from '@nestjs/common';
import { Database } from '@kinora/database';
import { BillingConfig } from '../billing.config';
import type { CheckoutProvider } from './checkout-provider.port';
import type { PaymentProvider, PaymentState } from './payment-provider.port';
import type { OpenPayment } from './payment.repository';
import type { ReversalProvider } from './reversal-provider.port';
import { SandboxReversals } from './sandbox-reversals.provider';
import { StripeReversals } from './stripe-reversals.provider';
import { SandboxCheckouts } from './sandbox-checkouts.provider';
import { SandboxPayments } from './sandbox-payments.provider';
import { StripeCheckouts } from './stripe-checkouts.provider';
import { StripePayments } from './stripe-payments.provider';

/** Payment providers count in cents. */
export const CENT_MICROS = 10_000;

/** The configured payment providers: one for new payments, and all of them for payments that they have begun. */
@Injectable()
export class PaymentProviders {
  /** Charge saved cards. Null if no provider is configured. */
  readonly current: PaymentProvider | null;
  /** Shows payment pages. Null if no provider is configured. */
  readonly currentCheckouts: CheckoutProvider | null;
  private readonly providers: PaymentProvider[];
  /** Takes payments back. Null if no provider is configured. */
  readonly currentReversals: ReversalProvider | null;
  private readonly checkouts: CheckoutProvider[];
  private readonly reversals: ReversalProvider[];

  constructor(config: BillingConfig, database: Database) {
    const { stripeSecretKey: secretKey, stripeUrl: url, stripeTax: addsTax } = config;
    const hasStripe = secretKey !== '';
    this.providers = [new SandboxPayments(database), ...(hasStripe ? [new StripePayments({ secretKey, url })] : [])];
    this.checkouts = [
      new SandboxCheckouts(database),
      ...(hasStripe ? [new StripeCheckouts({ secretKey, url, addsTax })] : []),
    ];
    this.reversals = [new SandboxReversals(database), ...(hasStripe ? [new StripeReversals({ secretKey, url })] : [])];
    this.currentReversals = this.reversals.find(({ name }) => name === config.payments) ?? null;
    this.current = this.providers.find(({ name }) => name === config.payments) ?? null;
    this.currentCheckouts = this.checkouts.find(({ name }) => name === config.payments) ?? null;
  }

  /** @throws Error if the provider of an earlier payment is not configured any more */
  get(name: string): PaymentProvider {
    return this.providers.find((provider) => provider.name === name) ?? missing(name);
  }

  /** @throws Error if the provider of an earlier checkout is not configured any more */
  getCheckouts(name: string): CheckoutProvider {
    return this.checkouts.find((provider) => provider.name === name) ?? missing(name);
  }

  /** @throws Error if the provider of an earlier payment is not configured any more */
  getReversals(name: string): ReversalProvider {
    return this.reversals.find((provider) => provider.name === name) ?? missing(name);
  }

  /** Asks the provider, unless no charge was sent. */
  async findState({ provider, state, reference }: OpenPayment): Promise<PaymentState> {
    if (state === 'begun' || reference === null) return { state: 'unpaid' };
    return this.get(provider).find(reference);
  }
}

function missing(name: string): never {
  throw new Error(`${name} is not configured. Restore the settings of this payment provider.`);
}
