import { Injectable } from '@nestjs/common';
import type { Checkout } from '@kinora/contracts/billing/checkout.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { checkoutMismatches, checkoutsCredited } from '../billing.metrics';
import { assertUuid } from '../operator/operator-input';
import { CheckoutCredit } from '../payments/checkout-credit';
import { mismatchOf } from '../payments/checkout-mismatch';
import { CheckoutRepository, type CheckoutRow, toCheckout } from '../payments/checkout.repository';
import { PaymentProviders } from '../payments/payment-providers';

/** What has led to the look-up. */
type Source = 'webhook' | 'return' | 'sweep';

/** Asks the provider how a checkout stands, and credits it once. Whatever leads to the look-up, the stored amount is credited. */
@Injectable()
export class SettleCheckout {
  constructor(
    private readonly checkouts: CheckoutRepository,
    private readonly providers: PaymentProviders,
    private readonly credit: CheckoutCredit,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @throws Error if the provider does not answer */
  async execute(checkout: CheckoutRow, source: Source): Promise<void> {
    const { id, account_id, reference } = checkout;
    // Its page was never shown, so it cannot have been paid.
    if (reference === null) return void (await this.checkouts.end(id, 'expired'));
    const provider = this.providers.getCheckouts(checkout.provider);
    const found = await provider.findCheckout(reference);
    if (found.state === 'expired') return void (await this.checkouts.end(id, 'expired'));
    if (found.state === 'open') return;
    const mismatch = mismatchOf(checkout, found);
    if (mismatch !== null) {
      checkoutMismatches.inc({ reason: mismatch });
      this.logger.error({ account_id, payment_id: id, charge: found.charge, mismatch }, 'checkout_refused');
      return void (await this.checkouts.end(id, 'refused'));
    }
    if (!(await this.credit.book(provider, checkout, found))) return;
    checkoutsCredited.inc({ origin: source });
    this.logger.info({ account_id, payment_id: id, source }, 'checkout_credited');
  }

  /** An event about a page. @returns false for a page that billing has not opened. */
  async receive(provider: string, reference: string): Promise<boolean> {
    const checkout = await this.checkouts.findByReference(provider, reference);
    if (checkout && checkout.state !== 'paid') await this.execute(checkout, 'webhook');
    return checkout !== null;
  }
}

/** The page that the customer comes back to. */
@Injectable()
export class ShowCheckout {
  constructor(
    private readonly checkouts: CheckoutRepository,
    private readonly settle: SettleCheckout,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(request: { account_id: string; payment_id: string }): Promise<Checkout> {
    assertUuid(request, 'payment_id');
    const checkout = await this.get(request);
    if (!(await this.checkouts.claimForCustomer(checkout.id))) return toCheckout(checkout);
    try {
      await this.settle.execute(checkout, 'return');
    } catch (error) {
      this.logger.warn({ payment_id: checkout.id, reason: String(error) }, 'checkout_not_looked_up');
    }
    return toCheckout(await this.get(request));
  }

  private async get({ account_id, payment_id }: { account_id: string; payment_id: string }): Promise<CheckoutRow> {
    const row = await this.checkouts.find(account_id, payment_id);
    if (!row) throw new ApiError('not_found', 'The account has no such payment.', { param: 'payment_id' });
    return row;
  }
}

/** The first look-up follows a minute after the page was opened; the delay doubles with each. */
const FIRST_DELAY_SECONDS = 60;
const MAX_DELAY_SECONDS = 3_600;

/** Looks up every open checkout until it is paid or expired: webhooks and the customer's return may both be lost. */
@Injectable()
export class SweepCheckouts {
  constructor(
    private readonly checkouts: CheckoutRepository,
    private readonly settle: SettleCheckout,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @returns how many checkouts were looked up. */
  async execute(): Promise<number> {
    const claimed = await this.checkouts.claim();
    await Promise.all(claimed.map((checkout) => this.lookUp(checkout)));
    return claimed.length;
  }

  private async lookUp(checkout: CheckoutRow): Promise<void> {
    const { id, checks } = checkout;
    try {
      await this.settle.execute(checkout, 'sweep');
    } catch (error) {
      this.logger.warn({ payment_id: id, reason: String(error) }, 'checkout_not_looked_up');
    }
    await this.checkouts.postpone(id, Math.min(FIRST_DELAY_SECONDS * 2 ** (checks - 1), MAX_DELAY_SECONDS));
  }
}
