import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { UNPAID_PER_HOUR } from '../src/payments/checkout-limits';
import { GetStatement } from '../src/use-cases/list-statement.query';
import { TopUp } from '../src/use-cases/change-balance.use-case';
import { countByOutcome, runConcurrently, useBilling } from './billing.fixtures';
import { PayingAccount, sweepAll, USD } from './checkouts.fixtures';
import { StripeApi } from './stripe-api.fixtures';

let api: StripeApi;
beforeAll(async () => {
  api = await StripeApi.start();
});
afterAll(() => api.close());
afterEach(() => {
  api.pages.isDown = false;
});

const billing = useBilling(() => ({ payments: 'stripe', stripeSecretKey: 'sk_test_secret', stripeUrl: api.url }));
const open = () => PayingAccount.open(billing, () => api.pages);

describe('a checkout', () => {
  it('is stored before Stripe is asked, and asks for exactly its amount in US dollars', async () => {
    const account = await open();
    const { payment_id, ...checkout } = await account.checkout({
      ...{ amount_micros: 12_340_000, saves_card: true, receipt_email: 'ada@people.test' },
    });
    expect(checkout).toMatchObject({ state: 'open', provider: 'stripe', amount_micros: 12_340_000, saves_card: true });
    const call = api.calls.findLast(({ path }) => path === '/v1/checkout/sessions');
    expect(call?.idempotencyKey).toBe(`${payment_id}-checkout`);
    expect(call?.form).toMatchObject({
      mode: 'payment',
      client_reference_id: payment_id,
      customer: `cus_${account.account_id}`,
      'line_items[0][price_data][unit_amount]': '1234',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][quantity]': '1',
      'invoice_creation[enabled]': 'true',
      'automatic_tax[enabled]': 'false',
      'payment_intent_data[setup_future_usage]': 'off_session',
      'payment_intent_data[receipt_email]': 'ada@people.test',
      success_url: `https://console.example/money/top-ups/${payment_id}`,
    });
    expect(checkout.url).toBe(api.pages.of(payment_id).url);
  });

  it.each(['webhook', 'return', 'sweep'] as const)('is credited by the %s alone', async (source) => {
    const account = await open();
    const checkout = await account.checkout();
    api.pages.pay(checkout.payment_id);
    if (source === 'webhook') expect(await account.webhook(checkout)).toEqual({ handled: true });
    if (source === 'sweep') await sweepAll(billing);
    const invoice_url = `https://invoice.stripe.com/${checkout.payment_id}`;
    expect(await account.show(checkout)).toMatchObject({ state: 'paid', url: null, invoice_url });
    expect(await account.balance()).toBe(25 * USD);
    const { data } = await billing.get(GetStatement).execute({ account_id: account.account_id });
    const reference = `checkout ${checkout.payment_id}`;
    expect(data).toMatchObject([{ kind: 'top_up', amount_micros: 25 * USD, reference }]);
  });

  it('is credited once when all of them report it at the same time, and again later', async () => {
    const account = await open();
    const checkout = await account.checkout();
    api.pages.pay(checkout.payment_id);
    await runConcurrently(60, async (index) => {
      if (index % 3 === 0) return void (await account.webhook(checkout));
      return index % 3 === 1 ? void (await account.show(checkout)) : sweepAll(billing);
    });
    expect(await account.balance()).toBe(25 * USD);
    expect(await account.webhook(checkout)).toEqual({ handled: true });
    expect(await account.balance()).toBe(25 * USD);
  });

  it('waits while it is open, and ends when the page has expired', async () => {
    const account = await open();
    const checkout = await account.checkout();
    // An event of another kind, or one that comes before the payment, changes nothing.
    await account.webhook(checkout);
    expect(await account.show(checkout)).toMatchObject({ state: 'open', url: expect.any(String) as string });
    api.pages.of(checkout.payment_id).status = 'expired';
    await sweepAll(billing);
    expect(await account.show(checkout)).toMatchObject({ state: 'expired', url: null });
    expect(await account.balance()).toBe(0);
  });

  it('is credited also if it counted as expired: the money has arrived', async () => {
    const account = await open();
    const checkout = await account.checkout();
    api.pages.of(checkout.payment_id).status = 'expired';
    await sweepAll(billing);
    api.pages.pay(checkout.payment_id);
    expect(await account.webhook(checkout)).toEqual({ handled: true });
    expect(await account.balance()).toBe(25 * USD);
  });

  it('whose page was never shown expires', async () => {
    const account = await open();
    api.pages.isDown = true;
    await expect(account.checkout()).rejects.toMatchObject({ code: 'capacity' });
    const states = statement('', `SELECT state, reference FROM checkout WHERE account_id = $1`);
    expect(await billing.database.query(states, [account.account_id])).toEqual([{ state: 'expired', reference: null }]);
  });

  it('stays open while Stripe does not answer', async () => {
    const account = await open();
    const checkout = await account.checkout();
    api.pages.pay(checkout.payment_id);
    api.pages.isDown = true;
    await sweepAll(billing);
    expect(await account.show(checkout)).toMatchObject({ state: 'open' });
    await expect(account.webhook(checkout)).rejects.toThrow();
    api.pages.isDown = false;
    await sweepAll(billing);
    expect(await account.balance()).toBe(25 * USD);
  });

  it.each([
    ['amount', { amount_subtotal: 99_900 }],
    ['currency', { currency: 'jpy' }],
    ['account', { metadata: { kinora_account_id: uuidv7() } }],
    ['payment', { client_reference_id: uuidv7() }],
  ])('is refused, and not credited, with another %s on the page', async (_, changes) => {
    const account = await open();
    const checkout = await account.checkout();
    api.pages.pay(checkout.payment_id, changes);
    await sweepAll(billing);
    expect(await account.show(checkout)).toMatchObject({ state: 'refused' });
    expect(await account.balance()).toBe(0);
  });

  it('adds tax to what is paid, and never to what is credited', async () => {
    const account = await open();
    const checkout = await account.checkout();
    api.pages.pay(checkout.payment_id, { amount_total: 2_975 });
    await account.webhook(checkout);
    expect(await account.balance()).toBe(25 * USD);
  });

  it('is not shown to another account, nor credited to it', async () => {
    const [account, other] = [await open(), await open()];
    const checkout = await account.checkout();
    await expect(other.show(checkout)).rejects.toMatchObject({ code: 'not_found' });
    api.pages.pay(checkout.payment_id);
    await account.webhook(checkout);
    expect([await account.balance(), await other.balance()]).toEqual([25 * USD, 0]);
  });

  it.each([
    ['amount_micros', { amount_micros: 4_990_000 }],
    ['amount_micros', { amount_micros: 1_000_010_000 }],
    ['amount_micros', { amount_micros: 25_005_000 }],
    ['amount_micros', { amount_micros: -25 * USD }],
    ['saves_card', { saves_card: 'yes' as unknown as boolean }],
  ])('is refused with a bad %s: %j', async (param, wrong) => {
    const account = await open();
    await expect(account.checkout(wrong)).rejects.toMatchObject({ code: 'invalid_body', param });
  });

  it('is refused to a suspended account, and open to a paused one', async () => {
    const account = await open();
    const { account_id } = account;
    await billing.setStatus({ account_id, status: 'paused' });
    expect(await account.checkout()).toMatchObject({ state: 'open' });
    await billing.setStatus({ account_id, status: 'suspended' });
    await expect(account.checkout()).rejects.toMatchObject({ code: 'account_suspended' });
  });

  it('leaves its reference in the ledger to itself', async () => {
    const account = await open();
    const { payment_id } = await account.checkout();
    const taken = { account_id: account.account_id, amount_micros: USD, reference: `checkout ${payment_id}` };
    await expect(billing.get(TopUp).execute(taken)).rejects.toMatchObject({ param: 'reference' });
  });
});

describe('card testing', () => {
  it('ends after some unpaid checkouts of an account, which operators see', async () => {
    const account = await open();
    const outcomes = await runConcurrently(30, async (index) => {
      await account.checkout({ address: `198.51.100.${index}` });
      return 'begun';
    });
    expect(outcomes.filter((outcome) => outcome === 'begun')).toHaveLength(UNPAID_PER_HOUR.account);
    expect(new Set(outcomes)).toEqual(new Set(['begun', 'rate_limited']));
    const actions = await billing.actionsOf(account.account_id);
    expect(actions.filter(({ action }) => action === 'pause_checkouts')).toHaveLength(1);
  });

  it('ends after some unpaid checkouts of an address with many accounts', async () => {
    const address = '203.0.113.9';
    const accounts = await Promise.all(Array.from({ length: UNPAID_PER_HOUR.address + 10 }, open));
    const others = accounts.splice(UNPAID_PER_HOUR.address - 1);
    for (const account of accounts) await account.checkout({ address });
    const outcomes = await runConcurrently(others.length, async (index) => {
      await others[index]?.checkout({ address });
      return 'begun';
    });
    expect(countByOutcome(outcomes)).toEqual({ begun: 1, rate_limited: 10 });
    expect(await accounts[0]?.checkout({ address: '203.0.113.10' })).toMatchObject({ state: 'open' });
  });

  it('does not bar a customer who pays', async () => {
    const account = await open();
    for (let count = 0; count <= UNPAID_PER_HOUR.account; count += 1) {
      const checkout = await account.checkout({ address: '192.0.2.1' });
      api.pages.pay(checkout.payment_id);
      await account.webhook(checkout);
    }
    expect(await account.balance()).toBe((UNPAID_PER_HOUR.account + 1) * 25 * USD);
  });
});
