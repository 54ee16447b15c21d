import { Injectable } from '@nestjs/common';
import { Database } from '@kinora/database';
import { BillingConfig } from '../billing.config';
import type { PaymentProvider, PaymentState } from './payment-provider.port';
import type { OpenPayment } from './payment.repository';
import { SandboxPayments } from './sandbox-payments.provider';
import { StripePayments } from './stripe-payments.provider';

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

  /** @throws Error if the provider of an earlier payment is not configured any more */
  get(name: string): PaymentProvider {
    const provider = this.find(name);
    if (!provider) throw new Error(`${name} is not configured. Restore the settings of this payment provider.`);
    return provider;
  }

  /** Asks the provider, unless no charge was sent. */
  async findState({ provider, state, reference }: OpenPayment): Promise<PaymentState> {
    if (state === 'begun' || reference === null) return { state: 'unpaid' };
    return this.get(provider).find(reference);
  }

  private find(name: string): PaymentProvider | null {
    return this.providers.find((provider) => provider.name === name) ?? null;
  }
}
