import { type MeasuredDatabase, numberedId } from '@kinora/testing';
import pino from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { BillingDetailsRepository } from '../src/account/billing-details.repository';
import { CheckoutRepository } from '../src/payments/checkout.repository';
import { DisputeRepository } from '../src/payments/dispute.repository';
import { PaymentCustomerRepository } from '../src/payments/payment-customer.repository';
import { PaymentRefundRepository } from '../src/payments/payment-refund.repository';
import { SandboxCheckouts } from '../src/payments/sandbox-checkouts.provider';
import { SandboxReversals } from '../src/payments/sandbox-reversals.provider';
import { BalanceAlerts } from '../src/use-cases/balance-alerts.use-case';
import { RehearseCheckout } from '../src/use-cases/rehearse-checkout.use-case';
import type { MoneyEmails } from '../src/user/money-emails';

/** A checkout that was paid, and one that is open; `million-holds.fixtures.ts` numbers them. */
const PAID = 100;
const OPEN = 5;

/** Input for the statements of what customers set up for their money. */
export function worksOfCustomers(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const customers = new PaymentCustomerRepository(database);
  const details = new BillingDetailsRepository(database);
  // `million-people.fixtures.ts` measures e-mail.
  const emails = { queue: () => Promise.resolve() } as unknown as MoneyEmails;
  const alerts = new BalanceAlerts(database, emails, pino({ level: 'silent' }));
  const [account_id, other] = [numberedId(PAID), numberedId(7)];
  return [
    () => alerts.set({ account_id: other, threshold_micros: 2_000_000_000 }),
    async () => expect(await alerts.noteCrossings()).toEqual([other]),
    () => alerts.set({ account_id: other, threshold_micros: null }),
    async () => expect(await customers.claimCardChecks('sandbox')).toHaveLength(10),
    () => customers.setWarnedCards(database, account_id, 'sandbox', ['card_7']),
    () => details.set(database, account_id, { name: 'Ada', address: 'London', tax_id: null }),
    () => details.find(account_id),
    () => customers.findOrOpen(other, 'sandbox', () => Promise.resolve('cus_new')),
  ];
}

/** Input for the statements of checkouts, refunds and disputes. */
export function worksOfCheckouts(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const checkouts = new CheckoutRepository(database);
  const refunds = new PaymentRefundRepository(database);
  const disputes = new DisputeRepository(database);
  const sandbox = new SandboxCheckouts(database);
  const reversals = new SandboxReversals(database);
  const rehearsal = new RehearseCheckout(database);
  const account_id = numberedId(PAID);
  const id = uuidv7();
  const order = { id, account_id, amount_micros: 10_000_000, customer: 'cus', saves_card: true };
  const page = { reference: 'cs_new', url: 'https://pay.test' };
  const paid = {
    ...({ state: 'paid', payment_id: id, account_id, amount_micros: 10_000_000, currency: 'usd' } as const),
    ...{ charge: 'pi_new', invoice_url: null },
  };
  const refund = uuidv7();
  const payment = { payment_id: numberedId(PAID), account_id, provider: 'sandbox', charge: `pi_${PAID}` };
  const dispute = { reference: 'dp_new', charge: `pi_${PAID}`, amount_micros: 10_000, currency: 'usd' };
  const return_url = 'https://console.test/money/top-ups';
  return [
    () => checkouts.begin(database, { ...order, provider: 'sandbox', address: '192.0.2.0/24' }),
    () => checkouts.opened(id, page),
    () => checkouts.find(account_id, id),
    () => checkouts.findByReference('sandbox', 'cs_new'),
    () => checkouts.claim(),
    () => checkouts.claimForCustomer(id),
    () => checkouts.postpone(numberedId(OPEN), 60),
    () => checkouts.end(numberedId(OPEN), 'expired'),
    () => checkouts.countRecent(database, account_id, '192.0.2.0/24'),
    async () => expect(await checkouts.credit(database, id, paid)).toBe(true),
    async () => expect(await refunds.findPaid(database, account_id, numberedId(PAID))).not.toBeNull(),
    () => refunds.sumOf(database, numberedId(PAID)),
    () => refunds.begin(database, refund, { ...payment, amount_micros: 10_000_000 }, 10_000, 'asked for it'),
    () => refunds.claim(),
    () => refunds.postpone(refund, 5),
    () => refunds.find(refund),
    () => refunds.succeed(refund, 're_new'),
    () => refunds.findByReference('sandbox', 're_new'),
    () => refunds.fail(refund, 'declined'),
    async () => expect(await disputes.findCharged('sandbox', `pi_${PAID}`)).not.toBeNull(),
    () =>
      disputes.open(
        database,
        uuidv7(),
        'sandbox',
        { ...payment, amount_micros: 10_000 },
        { ...dispute, state: 'open' },
      ),
    () => disputes.hasDispute(database, numberedId(PAID)),
    () => disputes.listOpen(),
    () => disputes.end(database, 'dp_new', 'won'),
    () => disputes.end(database, 'dp_7', 'lost'),
    () => sandbox.openCheckout({ ...order, return_url, expires_at: new Date(Date.now() + 60_000) }),
    () => sandbox.findCheckout(`sandbox_cs_${id}`),
    () => rehearsal.show({ account_id, payment_id: id }),
    () => rehearsal.pay({ account_id, payment_id: id, card: 'succeeds', is_confirmed: true }),
    () => sandbox.listCards('cus'),
    () => sandbox.removeCard('card_7'),
    () => reversals.listDisputes(new Date(Date.now() - 60_000)),
    async () => expect(await reversals.findDispute(`sandbox_dp_${numberedId(PAID)}`)).not.toBeNull(),
  ];
}
