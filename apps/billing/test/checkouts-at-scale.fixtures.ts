import type { Checkout } from '@kinora/contracts/billing/checkout.rpc';
import { statement } from '@kinora/database';
import { CheckoutRepository } from '../src/payments/checkout.repository';
import { runConcurrently, TestBilling, useBilling } from './billing.fixtures';
import { PayingAccount, sweepAll } from './checkouts.fixtures';
import { StripeApi } from './stripe-api.fixtures';
import type { StripePages } from './stripe-pages.fixtures';

const CENTS = 10_000;
/** Each account pays within its limit of unpaid checkouts. */
const PAYMENTS_OF_ACCOUNT = 8;
const SUM = statement(
  'spec_sum_checkouts',
  `SELECT count(*) AS entries, count(DISTINCT reference) AS payments, coalesce(sum(amount_micros), 0)::bigint AS micros
   FROM ledger_entry WHERE reference LIKE 'checkout %'`,
);

/** Every so many payments, PostgreSQL ends all other connections, as when it crashes. */
const CRASH_EVERY = 97;
const END_CONNECTIONS = statement(
  'spec_end_connections',
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
);

/** What befalls the news of a payment; one in ten customers does not pay. */
const FATES = [
  ...['lost', 'in time', 'doubled', 'before the payment', 'late'],
  ...['in time', 'return only', 'all at once', 'billing dies'],
  'unpaid',
] as const;

interface Booked {
  entries: number;
  payments: number;
  micros: number;
}

/**
 * Payments whose news is lost, doubled, late or early, at several processes, whose statements are cut off now and then. A request that
 * fails is not repeated: the customer gives up, and the news is lost.
 * @returns what is booked, and what the provider has been paid
 */
async function payAtScale(
  replicas: readonly TestBilling[],
  pages: () => StripePages,
  count: number,
): Promise<{ booked: Booked; paid: { payments: number; micros: number } }> {
  const [first] = replicas;
  if (!first) throw new Error('At least one process is needed.');
  let paid = 0;
  const late: (() => Promise<unknown>)[] = [];
  await runConcurrently(Math.ceil(count / PAYMENTS_OF_ACCOUNT), async (number) => {
    const accounts = await untilDone(() => PayingAccount.openAt(replicas, pages));
    for (let payment = 0; payment < PAYMENTS_OF_ACCOUNT; payment += 1) {
      const index = number * PAYMENTS_OF_ACCOUNT + payment;
      const [here, there] = index % 2 === 0 ? accounts : accounts.toReversed();
      if (!here || !there || index >= count) return;
      if (index % CRASH_EVERY === 0) await first.database.query(END_CONNECTIONS).catch(() => null);
      const order = { amount_micros: (500 + (index % 9_000)) * CENTS, address: `a${index}` };
      const checkout = await here.checkout(order).catch(() => null);
      if (!checkout) continue;
      const fate = FATES[index % FATES.length];
      if (fate === 'before the payment') await here.webhook(checkout).catch(() => null);
      if (fate === 'unpaid') continue;
      pages().pay(checkout.payment_id);
      paid += 1;
      if (fate === 'billing dies') await dieWhileCrediting(first, checkout);
      if (fate === 'late') late.push(() => there.webhook(checkout));
      else await tell(fate ?? '', here, there, checkout).catch(() => null);
    }
  });
  for (const tellLate of late.toReversed()) await tellLate().catch(() => null);
  await untilDone(() => sweepAll(first));
  // The provider repeats what it has told, in another order.
  for (const tellAgain of late) await tellAgain();
  await sweepAll(first);
  const booked = await first.database.findOne<Booked>(SUM);
  if (!booked) throw new Error('The sum returned no row.');
  return { booked, paid: { payments: paid, micros: pages().paidMicros } };
}

async function untilDone<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let time = 1; ; time += 1) {
    try {
      return await work();
    } catch (error) {
      if (time === 10) throw error;
    }
  }
}

async function tell(fate: string, here: PayingAccount, there: PayingAccount, checkout: Checkout): Promise<void> {
  const webhooks: Record<string, (() => Promise<unknown>)[]> = {
    'in time': [() => here.webhook(checkout)],
    doubled: [() => here.webhook(checkout), () => there.webhook(checkout)],
    'return only': [() => there.show(checkout)],
    'all at once': [() => here.webhook(checkout), () => there.webhook(checkout), () => here.show(checkout)],
  };
  await Promise.all((webhooks[fate] ?? []).map((each) => each()));
}

/** The statement has run, and its transaction is never committed. */
async function dieWhileCrediting(billing: TestBilling, { payment_id }: Checkout): Promise<void> {
  const paid = { state: 'paid', payment_id, account_id: null, amount_micros: 1, currency: 'usd' } as const;
  const charge = { ...paid, charge: `pi_of_${payment_id}`, invoice_url: null };
  const dies = billing.database.transaction(async (transaction) => {
    await billing.get(CheckoutRepository).credit(transaction, payment_id, charge);
    throw new Error('billing dies');
  });
  await dies.catch(() => undefined);
}

/** A spec of so many payments. */
export function describePayments(count: number): void {
  describe(`${count} payments with lost, doubled, late and early webhooks, and crashes, at two processes`, () => {
    let api: StripeApi;
    beforeAll(async () => {
      api = await StripeApi.start();
    });
    afterAll(() => api.close());
    const settings = () => ({ payments: 'stripe', stripeSecretKey: 'sk_test_secret', stripeUrl: api.url }) as const;
    const billing = useBilling(settings);

    it(
      'are each credited once, and the books have what Stripe has been paid',
      async () => {
        const replica = await TestBilling.beside(billing, settings);
        try {
          const { booked, paid } = await payAtScale([billing, replica], () => api.pages, count);
          expect(booked).toEqual({ entries: paid.payments, payments: paid.payments, micros: paid.micros });
          expect(paid.payments).toBeGreaterThan(count * 0.7);
        } finally {
          await replica.close();
        }
      },
      120_000 + count * 60,
    );
  });
}
