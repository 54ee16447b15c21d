import { Injectable } from '@nestjs/common';
import { Database } from '@kinora/database';
import { BillingConfig } from '../billing.config';
import type { PaymentProvider } from './payment-provider.port';
import { SandboxPayments } from './sandbox/sandbox-payments.provider';
import { StripePayments } from './stripe/stripe-payments.provider';

/** The configured payment providers: one for new payments, and all of them for payments that they have begun. */
@Injectable()
export class PaymentProviders {
  /** Null if no provider is configured. */
  readonly current: PaymentProvider | null;
  private readonly providers: PaymentProvider[];

  constructor(config: BillingConfig, database: Database) {
    const { stripeSecretKey: secretKey, stripeUrl: url } = config;
    this.providers = [
      new SandboxPayments(database),
      ...(secretKey === '' ? [] : [new StripePayments({ secretKey, url })]),
    ];
    this.current = this.find(config.payments);
  }

  find(name: string): PaymentProvider | null {
    return this.providers.find((provider) => provider.name === name) ?? null;
  }
}
