import type { PaidCheckout } from './checkout-provider.port';
import type { CheckoutRow } from './checkout.repository';

export type Mismatch = 'payment' | 'account' | 'currency' | 'amount';

/** What of the provider's record does not fit the stored checkout; null if all of it does. */
export function mismatchOf(
  checkout: Pick<CheckoutRow, 'id' | 'account_id' | 'amount_micros'>,
  paid: Pick<PaidCheckout, 'payment_id' | 'account_id' | 'currency' | 'amount_micros'>,
): Mismatch | null {
  if (paid.payment_id !== checkout.id) return 'payment';
  if (paid.account_id !== checkout.account_id) return 'account';
  if (paid.currency !== 'usd') return 'currency';
  return paid.amount_micros === checkout.amount_micros ? null : 'amount';
}
