import { type Checkout, checkoutRpc, type Rehearsal, rehearsalRpc } from '@kinora/contracts/billing/checkout.rpc';
import { billingDetailsRpc } from '@kinora/contracts/billing/billing-details.rpc';
import { cardsRpc } from '@kinora/contracts/billing/cards.rpc';
import { ownMoneyRpc } from '@kinora/contracts/billing/own-money.rpc';
import type { PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import type { MonthStatement } from '@kinora/contracts/billing/statement';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { on } from '@kinora/testing';

/** Answers a request that a key of the scope account has proved. */
export type Proved = <Request extends PresentedKeyRequest, Response>(
  contract: RpcContract<Request, Response>,
  answer: (request: Omit<Request, 'key_sha256'>) => Response,
) => ReturnType<typeof on>;

/** What billing answers about payments by the page of the provider, and about cards. */
export const fakeCheckouts = (proved: Proved) => [
  proved(checkoutRpc.showOffer, () => ({
    ...{ provider: 'stripe', min_micros: 5_000_000, max_micros: 9_000_000, suggestions_micros: [5_000_000] },
  })),
  proved(checkoutRpc.create, ({ amount_micros }) => ({ ...CHECKOUT, amount_micros })),
  proved(checkoutRpc.show, () => CHECKOUT),
  proved(rehearsalRpc.show, () => REHEARSAL),
  proved(rehearsalRpc.pay, () => ({ outcome: 'needs_confirmation' as const })),
  proved(ownMoneyRpc.showMonth, (request) => ({ ...request, cursor: '1' }) as MonthStatement),
  proved(ownMoneyRpc.showBalanceAlert, () => ({ threshold_micros: 5_000_000, is_below: false, owed_micros: 0 })),
  proved(ownMoneyRpc.setBalanceAlert, (request) => ({ ...request, is_below: false, owed_micros: 0 })),
  proved(billingDetailsRpc.show, () => ({ billing_details: { name: 'Ada Ltd', address: 'London', tax_id: null } })),
  proved(billingDetailsRpc.set, (billing_details) => ({ billing_details })),
  proved(cardsRpc.list, () => ({
    data: [{ card_id: 'pm_1', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 }],
  })),
  proved(cardsRpc.remove, ({ card_id }) => {
    if (card_id !== 'pm_1') throw new ApiError('not_found', 'The account has no such card.');
    return {};
  }),
];

const CHECKOUT: Checkout = {
  payment_id: '0192f3a0-0000-7000-8000-00000000000a',
  provider: 'stripe',
  amount_micros: 5_000_000,
  state: 'open',
  url: 'https://checkout.stripe.com/c/pay/cs_1',
  saves_card: false,
  invoice_url: null,
  created_at: '2026-01-01T00:00:00.000Z',
  ended_at: null,
};

const REHEARSAL: Rehearsal = {
  payment_id: CHECKOUT.payment_id,
  amount_micros: 5_000_000,
  state: 'open',
  saves_card: false,
  return_url: 'https://console.example/money/top-ups/1',
  cards: [{ card: 'succeeds', label: 'Succeeds', number: '4242424242424242' }],
};
