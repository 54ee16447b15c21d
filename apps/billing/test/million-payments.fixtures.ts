import { type MeasuredDatabase, numberedId } from '@kinora/testing';
import pino from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { BillingDetailsRepository } from '../src/account/billing-details.repository';
import { CheckoutRepository } from '../src/payments/checkout.repository';
import { DisputeRepository } from '../src/payments/dispute.repository';
import { PaymentCustomerRepository } from '../src/payments/payment-customer.repository';
import { AutoRechargeEntity } from '../src/payments/payment.entity';
import { AutoRechargeRepository, PaymentRepository } from '../src/payments/payment.repository';
import { SANDBOX_METHODS, SandboxPayments } from '../src/payments/sandbox-payments.provider';
import { PaymentRefundRepository } from '../src/payments/payment-refund.repository';
import { SandboxCheckouts } from '../src/payments/sandbox-checkouts.provider';
import { SandboxReversals } from '../src/payments/sandbox-reversals.provider';
import { MANY } from './million-holds.fixtures';
import { BalanceAlerts } from '../src/use-cases/balance-alerts.use-case';
import { RehearseCheckout } from '../src/use-cases/rehearse-checkout.use-case';
import type { MoneyEmails } from '../src/user/money-emails';

const FIRST_PAGE = { cursor: null, limit: 1_001 };
/** A checkout that was paid, and one that is open; `million-holds.fixtures.ts` numbers them. */
const PAID = 100;
const OPEN = 5;

/** Input for the statements of auto-recharge and of the sandbox provider. */
export function worksOfPayments(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const recharges = new AutoRechargeRepository(database.repository(AutoRechargeEntity), database);
  const payments = new PaymentRepository(database);
  const sandbox = new SandboxPayments(database);
  const order = {
    id: uuidv7(),
    account_id: MANY,
    amount_micros: 10,
    payment_method: SANDBOX_METHODS.succeeds,
    customer: null,
  };
  const recharge = { account_id: numberedId(9), enabled: true, threshold_micros: 5, amount_micros: 10 };
  return [
    () => recharges.find(MANY),
    () => recharges.set(database, { ...recharge, monthly_cap_micros: null, payment_method: 'card', customer: null }),
    () => recharges.lock(database, MANY),
    () => recharges.stopCard(database, MANY, 'card'),
    async () => expect(await recharges.listDue()).toEqual([numberedId(2)]),
    () => payments.begin(database, order.id, 'sandbox', numberedId(2)),
    () => payments.claim(),
    () => payments.claimOne(numberedId(5), numberedId(5)),
    () => payments.find(numberedId(5), numberedId(5)),
    () => payments.postpone(numberedId(3), 1),
    () => payments.markSent(numberedId(3), 'reference'),
    () => payments.succeed(numberedId(3)),
    () => payments.fail(numberedId(4), 'declined', 1),
    () => payments.list(numberedId(7), FIRST_PAGE),
    () => payments.list(numberedId(7), { cursor: numberedId(500_000), limit: 100 }),
    () => sandbox.open(order),
    () => sandbox.charge(order, `sandbox_${order.id}`, () => Promise.resolve()),
    () => sandbox.find(`sandbox_${order.id}`),
    () => sandbox.charge({ ...order, payment_method: 'sandbox_card_7' }, 'sandbox_card', () => Promise.resolve()),
  ];
}

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
  const order = { id, account_id, amount_micros: 10_000_000, customer: 'cus', saves_card: true, receipt_email: null };
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
    () => checkouts.lockAddress(database, '192.0.2.0/24'),
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
    () => refunds.fail(database, refund, 'declined'),
    () => refunds.follow(database, uuidv7(), { ...payment, amount_micros: 10_000 }, 're_foreign'),
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
    async () => expect(await disputes.listOpen(numberedId(10))).not.toEqual([]),
    () => disputes.end(database, 'dp_new', 'won'),
    () => disputes.end(database, 'dp_7', 'lost'),
    () => sandbox.openCheckout({ ...order, return_url, expires_at: new Date(Date.now() + 60_000) }),
    () => sandbox.findCheckout(`sandbox_cs_${id}`),
    () => rehearsal.show({ account_id, payment_id: id }),
    () => rehearsal.pay({ account_id, payment_id: id, card: 'succeeds', is_confirmed: true }),
    () => sandbox.listCards('cus'),
    () => sandbox.removeCard('card_7'),
    () => reversals.listDisputes(new Date(Date.now() - 60_000)).next(),
    async () => expect(await reversals.findDispute(`sandbox_dp_${numberedId(PAID)}`)).not.toBeNull(),
  ];
}
