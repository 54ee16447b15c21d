import { SweepReversals } from '../src/use-cases/sweep-reversals.use-case';
import { countByOutcome, runConcurrently, useBilling } from './billing.fixtures';
import { USD } from './checkouts.fixtures';
import { openPaidAccount } from './paid-account.fixtures';
import { StripeApi } from './stripe-api.fixtures';

let api: StripeApi;
beforeAll(async () => {
  api = await StripeApi.start();
});
afterAll(() => api.close());

const billing = useBilling(() => ({ payments: 'stripe', stripeSecretKey: 'sk_test_secret', stripeUrl: api.url }));

const openPaid = (options = {}) => openPaidAccount(billing, () => api.pages, options);

describe("a refund in Stripe's dashboard", () => {
  function make({ payment_id }: { payment_id: string }, cents: number): string {
    const id = `re_dashboard_${payment_id}_${cents}`;
    const refund = { id, payment_intent: `pi_of_${payment_id}`, amount: cents, currency: 'usd' };
    api.pages.refunds.push({ ...refund, status: 'succeeded', metadata: {} });
    return id;
  }

  const sweep = () => billing.get(SweepReversals).execute();

  /** With its events, repeated and at once, while the sweep finds it, too. */
  async function refundAt(account: Awaited<ReturnType<typeof openPaidAccount>>, cents: number): Promise<string> {
    const id = make(account, cents);
    const handled = await runConcurrently(8, async (index) =>
      index % 4 === 3 ? (await sweep(), { handled: true }) : account.receive('refund.created', id),
    );
    expect(countByOutcome(handled)).toEqual({ '{"handled":true}': 8 });
    return id;
  }

  /** The events of it are lost. */
  function fail(id: string): Promise<void> {
    Object.assign(api.pages.refunds.find((refund) => refund.id === id) ?? {}, { status: 'failed' });
    return sweep();
  }

  it('is taken from the balance once, and returned where it fails later', async () => {
    const account = await openPaid();
    const id = await refundAt(account, 1_000);
    expect((await account.show()).balance_micros).toBe(15 * USD);
    expect(await account.payments()).toMatchObject([{ refunded_micros: 10 * USD, dispute: null }]);
    expect((await account.lines()).at(-1)).toMatchObject({ cause: 'payment_refund', reason: 'refunded at stripe' });
    await fail(id);
    expect((await account.show()).balance_micros).toBe(25 * USD);
  });

  it('is no more than is left of the payment, of which billing may give a part back at the same moment', async () => {
    const account = await openPaid();
    await account.topUp(50 * USD);
    await account.refund(10 * USD);
    const own = api.pages.refunds.at(-1)?.id ?? '';
    await account.receive('refund.created', own);
    await refundAt(account, 2_500);
    expect((await account.show()).balance_micros).toBe(50 * USD);
  });

  it('is owed where the balance does not cover it, and the next top-up pays it', async () => {
    const account = await openPaid({ spent: 20 * USD });
    const id = await refundAt(account, 2_500);
    const status_reason = '20.00 USD of payments that went back are owed';
    expect(await account.show()).toMatchObject({ balance_micros: 0, status: 'paused', status_reason });
    expect(await account.payments()).toMatchObject([{ refunded_micros: 25 * USD, dispute: null }]);
    const line = { kind: 'adjustment', cause: 'payment_refund', balance_after_micros: 0 };
    expect((await account.lines()).slice(-2)).toMatchObject([
      { ...line, reason: 'refunded at stripe', balance_delta_micros: -5 * USD },
      { ...line, reason: 'refunded at stripe, owed', balance_delta_micros: 0, amount_micros: 20 * USD },
    ]);
    await account.topUp(50 * USD);
    await account.receive('refund.updated', id);
    expect(await account.show()).toMatchObject({ balance_micros: 30 * USD, status: 'active' });
  });

  it('that fails is owed no more, and what it has taken is in the balance again', async () => {
    const account = await openPaid({ spent: 20 * USD });
    await fail(await refundAt(account, 2_500));
    expect(await account.show()).toMatchObject({ balance_micros: 5 * USD, owed_micros: 0, status: 'active' });
    expect(await account.payments()).toMatchObject([{ refunded_micros: 0 }]);
  });

  it('is found by the sweep alone, however many there are, as long as it is recent', async () => {
    const account = await openPaid();
    const old = make(account, 500);
    Object.assign(api.pages.refunds.find(({ id }) => id === old) ?? {}, { created: Date.now() / 1_000 - 8 * 86_400 });
    for (let number = 0; number <= 2 * api.pages.pageSize; number += 1) make(account, 100 + number);
    await sweep();
    expect((await account.show()).balance_micros).toBe(25 * USD - 1_155 * 10_000);
  });

  it('of a charge that billing has not made is left alone', async () => {
    const { receive } = await openPaid();
    const refund = { amount: 100, currency: 'usd', status: 'succeeded', metadata: {} };
    api.pages.refunds.push({ id: 're_of_another', payment_intent: 'pi_of_another', ...refund });
    expect(await receive('refund.created', 're_of_another')).toEqual({ handled: false });
  });
});
