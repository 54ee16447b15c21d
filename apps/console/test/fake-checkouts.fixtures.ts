import { type Checkout, checkoutRpc, type Rehearsal, rehearsalRpc } from '@kinora/contracts/billing/checkout.rpc';
import { billingDetailsRpc } from '@kinora/contracts/billing/billing-details.rpc';
import { cardsRpc } from '@kinora/contracts/billing/cards.rpc';
import { ownMoneyRpc } from '@kinora/contracts/billing/own-money.rpc';
import type { PresentedKey } from '@kinora/contracts/billing/portal.rpc';
import type { MonthStatement } from '@kinora/contracts/billing/statement';
import { ApiError } from '@kinora/contracts/shared/errors';
import { on } from '@kinora/testing';

interface Keys {
  findAdministrator(keySha256: string): PresentedKey;
}
type Note = (subject: string, key: PresentedKey, request: object) => void;

/** What billing answers about payments by the page of the provider, and about cards. */
export function fakeCheckouts(keys: Keys, note: Note) {
  return [
    on(checkoutRpc.showOffer, ({ key_sha256 }) => {
      note('show_top_up_offer', keys.findAdministrator(key_sha256), {});
      return { provider: 'stripe', min_micros: 5_000_000, max_micros: 9_000_000, suggestions_micros: [5_000_000] };
    }),
    on(checkoutRpc.create, ({ key_sha256, ...request }) => {
      note('create_checkout', keys.findAdministrator(key_sha256), request);
      return { ...CHECKOUT, amount_micros: request.amount_micros };
    }),
    on(checkoutRpc.show, ({ key_sha256, ...request }) => {
      note('show_checkout', keys.findAdministrator(key_sha256), request);
      return CHECKOUT;
    }),
    on(rehearsalRpc.show, ({ key_sha256, ...request }) => {
      note('show_rehearsal', keys.findAdministrator(key_sha256), request);
      return REHEARSAL;
    }),
    on(rehearsalRpc.pay, ({ key_sha256, ...request }) => {
      note('pay_rehearsal', keys.findAdministrator(key_sha256), request);
      return { outcome: 'needs_confirmation' as const };
    }),
    on(ownMoneyRpc.showMonth, ({ key_sha256, ...request }) => {
      note('show_own_month', keys.findAdministrator(key_sha256), request);
      return { ...request, cursor: '1' } as MonthStatement;
    }),
    on(ownMoneyRpc.showBalanceAlert, ({ key_sha256 }) => {
      note('show_own_balance_alert', keys.findAdministrator(key_sha256), {});
      return { threshold_micros: 5_000_000, is_below: false, owed_micros: 0 };
    }),
    on(ownMoneyRpc.setBalanceAlert, ({ key_sha256, ...request }) => {
      note('set_own_balance_alert', keys.findAdministrator(key_sha256), request);
      return { ...request, is_below: false, owed_micros: 0 };
    }),
    on(billingDetailsRpc.show, ({ key_sha256 }) => {
      note('show_own_billing_details', keys.findAdministrator(key_sha256), {});
      return { billing_details: { name: 'Ada Ltd', address: 'London', tax_id: null } };
    }),
    on(billingDetailsRpc.set, ({ key_sha256, ...billing_details }) => {
      note('set_own_billing_details', keys.findAdministrator(key_sha256), billing_details);
      return { billing_details };
    }),
    on(cardsRpc.list, ({ key_sha256 }) => {
      note('list_own_cards', keys.findAdministrator(key_sha256), {});
      return { data: [{ card_id: 'pm_1', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 }] };
    }),
    on(cardsRpc.remove, ({ key_sha256, ...request }) => {
      note('remove_own_card', keys.findAdministrator(key_sha256), request);
      if (request.card_id !== 'pm_1') throw new ApiError('not_found', 'The account has no such card.');
      return {};
    }),
  ];
}

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
