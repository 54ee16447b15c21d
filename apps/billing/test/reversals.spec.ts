import { v7 as uuidv7 } from 'uuid';
import { statement } from '@kinora/database';
import { SettleRefunds } from '../src/use-cases/refund-payment.use-case';
import { ApplyStrikes } from '../src/use-cases/apply-strikes.use-case';
import { AdjustBalance } from '../src/use-cases/change-balance.use-case';
import { SweepReversals } from '../src/use-cases/sweep-reversals.use-case';
import { VerifyLedger } from '../src/use-cases/verify-ledger.use-case';
import { countByOutcome, runConcurrently, useBilling } from './billing.fixtures';
import { PayingAccount, USD } from './checkouts.fixtures';
import { openPaidAccount } from './paid-account.fixtures';
import { StripeApi } from './stripe-api.fixtures';

let api: StripeApi;
beforeAll(async () => {
  api = await StripeApi.start();
});
afterAll(() => api.close());
afterEach(() => {
  Object.assign(api.pages, { isDown: false, refundStatus: 'succeeded' });
});

const billing = useBilling(() => ({ payments: 'stripe', stripeSecretKey: 'sk_test_secret', stripeUrl: api.url }));

const openPaid = (options = {}) => openPaidAccount(billing, () => api.pages, options);

const MAKE_DUE = statement(
  'spec_make_refunds_due',
  'UPDATE payment_refund SET next_check_at = now() WHERE ended_at IS NULL',
);
async function settleAll(): Promise<void> {
  await billing.database.execute(MAKE_DUE);
  while ((await billing.get(SettleRefunds).execute()) > 0);
}

describe('a refund of a payment', () => {
  it('leaves the balance, then goes to the card, and stands in statement, payments and audit trail', async () => {
    const account = await openPaid({ spent: 5 * USD });
    expect(await account.refund(15 * USD)).toMatchObject({ state: 'succeeded', amount_micros: 15 * USD });
    expect((await account.show()).balance_micros).toBe(5 * USD);
    const charge = `pi_of_${account.payment_id}`;
    expect(api.pages.refunds.filter(({ payment_intent }) => payment_intent === charge)).toMatchObject([
      { amount: 1_500 },
    ]);
    expect((await account.lines()).at(-1)).toMatchObject({
      ...{ kind: 'adjustment', cause: 'payment_refund', reason: 'asked for it' },
      ...{ balance_delta_micros: -15 * USD, balance_after_micros: 5 * USD },
    });
    expect(await account.payments()).toMatchObject([{ kind: 'checkout', refunded_micros: 15 * USD, dispute: null }]);
    expect((await billing.actionsOf(account.account_id))[0]).toMatchObject({ action: 'refund_payment', actor: 'ada' });
  });

  it.each([
    ['amount_micros', 'what is unspent', { amount_micros: 21 * USD }],
    ['amount_micros', 'what is left of the payment', { amount_micros: 26 * USD }],
    ['amount_micros', 'whole cents', { amount_micros: 5_000 }],
    ['reason', 'a reason', { reason: undefined }],
    ['payment_id', 'a payment of the account', { payment_id: uuidv7() }],
  ])('is refused for its %s: it needs %s', async (param, _, wrong) => {
    const account = await openPaid({ spent: 5 * USD });
    await account.topUp(USD);
    await billing.get(AdjustBalance).execute({ account_id: account.account_id, amount_micros: -USD, reason: 'x' });
    await expect(account.refund(USD, wrong)).rejects.toMatchObject({ param });
    expect((await account.show()).balance_micros).toBe(20 * USD);
  });

  it('never exceeds the payment, however many operators ask at once', async () => {
    const account = await openPaid();
    await account.topUp(100 * USD);
    const outcomes = await runConcurrently(12, async () => (await account.refund(5 * USD)).state);
    expect(countByOutcome(outcomes)).toEqual({ succeeded: 5, invalid_body: 7 });
    expect((await account.show()).balance_micros).toBe(100 * USD);
  });

  it('with the same id happens once', async () => {
    const account = await openPaid();
    const refund_id = uuidv7();
    const outcomes = await runConcurrently(8, async () => (await account.refund(5 * USD, { refund_id })).state);
    expect(countByOutcome(outcomes)).toEqual({ succeeded: 8 });
    expect(await account.refund(5 * USD, { refund_id })).toMatchObject({ refund_id, state: 'succeeded' });
    expect((await account.show()).balance_micros).toBe(20 * USD);
    await expect(account.refund(6 * USD, { refund_id })).rejects.toMatchObject({ param: 'refund_id' });
    expect(api.pages.refunds.filter(({ metadata }) => metadata['kinora_refund_id'] === refund_id)).toHaveLength(1);
  });

  it('is resumed once Stripe answers, and sent once though its answer was lost', async () => {
    const account = await openPaid();
    api.pages.isDown = true;
    const { refund_id, state } = await account.refund(10 * USD);
    expect([state, (await account.show()).balance_micros]).toEqual(['begun', 15 * USD]);
    api.pages.isDown = false;
    // What a process has sent before it died, longer ago than Stripe keeps idempotency keys.
    const sent = { amount: 1_000, status: 'succeeded', metadata: { kinora_refund_id: refund_id } };
    api.pages.refunds.push({ id: 're_sent', payment_intent: `pi_of_${account.payment_id}`, ...sent });
    await settleAll();
    expect(await account.refund(10 * USD, { refund_id })).toMatchObject({ state: 'succeeded' });
    expect(api.pages.refunds.filter(({ metadata }) => metadata['kinora_refund_id'] === refund_id)).toHaveLength(1);
  });

  it('that fails is in the balance again, at once or days later', async () => {
    const account = await openPaid();
    api.pages.refundStatus = 'failed';
    expect(await account.refund(10 * USD)).toMatchObject({ state: 'failed' });
    expect((await account.show()).balance_micros).toBe(25 * USD);
    api.pages.refundStatus = 'pending';
    const { refund_id } = await account.refund(10 * USD);
    expect((await account.show()).balance_micros).toBe(15 * USD);
    const refund = api.pages.refunds.find(({ metadata }) => metadata['kinora_refund_id'] === refund_id);
    Object.assign(refund ?? {}, { status: 'failed', failure_reason: 'expired_or_canceled_card' });
    const tell = () => account.receive('refund.failed', refund?.id ?? '');
    expect([await tell(), await tell()]).toEqual([{ handled: true }, { handled: true }]);
    expect((await account.show()).balance_micros).toBe(25 * USD);
  });
});

describe('a dispute', () => {
  it('takes its amount from the balance at once, and once, whatever reports it', async () => {
    const account = await openPaid();
    await runConcurrently(20, async (index) => {
      if (index % 4 === 3) await billing.get(SweepReversals).execute();
      else await account.dispute();
    });
    const shown = await account.show();
    expect([shown.balance_micros, shown.owed_micros, shown.status]).toEqual([0, 0, 'active']);
    expect(await account.payments()).toMatchObject([{ dispute: 'open' }]);
    await expect(account.refund(USD)).rejects.toMatchObject({ param: 'payment_id' });
  });

  it('that the balance does not cover leaves a debt, which pauses the account', async () => {
    const account = await openPaid({ spent: 20 * USD });
    await account.dispute();
    const shown = await account.show();
    expect(shown).toMatchObject({ balance_micros: 0, owed_micros: 20 * USD, status: 'paused' });
    expect(shown.status_reason).toBe('20.00 USD of payments that went back are owed');
    const { account_id } = account;
    await expect(billing.reserve({ account_id, job_id: uuidv7(), amount_micros: 0 })).rejects.toMatchObject({
      code: 'account_paused',
    });
    expect((await account.lines()).slice(-2)).toMatchObject([
      { kind: 'adjustment', cause: 'dispute', balance_delta_micros: -5 * USD, balance_after_micros: 0 },
      { kind: 'adjustment', cause: 'dispute', balance_delta_micros: 0, amount_micros: 20 * USD },
    ]);
  });

  it('is paid first by the next top-ups, of any kind, and the account goes on', async () => {
    const account = await openPaid({ spent: 20 * USD });
    await account.dispute();
    await account.topUp(15 * USD);
    expect(await account.show()).toMatchObject({ balance_micros: 0, owed_micros: 5 * USD, status: 'paused' });
    const paying = await PayingAccount.open(billing, () => api.pages);
    Object.assign(paying, { account_id: account.account_id });
    const { payment_id } = await paying.checkout({ amount_micros: 10 * USD });
    api.pages.pay(payment_id);
    await paying.show({ payment_id });
    expect(await account.show()).toMatchObject({ balance_micros: 5 * USD, owed_micros: 0, status: 'active' });
    expect((await account.lines()).slice(-2)).toMatchObject([
      { kind: 'top_up', balance_delta_micros: 10 * USD, balance_after_micros: 10 * USD },
      { kind: 'adjustment', cause: 'debt_payment', balance_delta_micros: -5 * USD, balance_after_micros: 5 * USD },
    ]);
  });

  it('that is won gives everything back, and ends the pause', async () => {
    const account = await openPaid({ spent: 20 * USD });
    await account.dispute();
    // The last one is an old event, which arrives late.
    for (const status of ['won', 'won', 'needs_response']) await account.dispute(status);
    expect(await account.show()).toMatchObject({ balance_micros: 5 * USD, owed_micros: 0, status: 'active' });
    expect(await account.payments()).toMatchObject([{ dispute: 'won' }]);
  });

  it('that is won after the debt was paid gives the money back', async () => {
    const account = await openPaid({ spent: 20 * USD });
    await account.dispute();
    await account.topUp(30 * USD);
    await account.dispute('won');
    expect((await account.show()).balance_micros).toBe(35 * USD);
  });

  it.each([
    ['that is lost takes nothing more', ['needs_response', 'lost', 'lost', 'needs_response'], 0],
    ['of which only the end is heard is taken and given back', ['won'], 25 * USD],
  ])('%s', async (_, statuses, balance_micros) => {
    const account = await openPaid();
    for (const status of statuses) await account.dispute(status);
    expect(await account.show()).toMatchObject({ balance_micros });
    expect(await account.payments()).toMatchObject([{ dispute: balance_micros === 0 ? 'lost' : 'won' }]);
  });

  it('does not end a pause of an operator, nor one after which an operator has decided', async () => {
    const account = await openPaid({ spent: 20 * USD });
    const { account_id } = account;
    await billing.setStatus({ account_id, status: 'paused', reason: 'asked for it' });
    await account.dispute();
    await account.topUp(50 * USD);
    expect(await account.show()).toMatchObject({ status: 'paused', status_reason: 'asked for it' });
  });

  it.each(['before', 'during'])('%s a suspension for strikes pauses the account after it', async (when) => {
    const account = await openPaid({ spent: 20 * USD });
    const { account_id } = account;
    const counted = { account_id, strike_id: uuidv7(), job_id: uuidv7(), window_days: 30, limit: 5 };
    if (when === 'before') await account.dispute();
    await billing.get(ApplyStrikes).suspend({ ...counted, strikes: 5, counted_at_us: 1 }, uuidv7());
    if (when === 'during') await account.dispute();
    await billing.get(ApplyStrikes).reinstate({ ...counted, strikes: 4, counted_at_us: 2 }, uuidv7());
    expect(await account.show()).toMatchObject({ owed_micros: 20 * USD, status: 'paused' });
    await account.topUp(20 * USD);
    expect(await account.show()).toMatchObject({ owed_micros: 0, status: 'active' });
  });

  it('of a charge with tax takes what was credited', async () => {
    const account = await openPaid();
    const { id } = api.pages.dispute(account.payment_id, { amount: 2_975 });
    expect(await account.receive('charge.dispute.created', id)).toEqual({ handled: true });
    expect(await account.show()).toMatchObject({ balance_micros: 0, status: 'active' });
    expect((await account.lines()).at(-1)).toMatchObject({ cause: 'dispute', balance_delta_micros: -25 * USD });
  });

  it.each([
    ['an inquiry, which takes no money', { status: 'warning_needs_response' }],
    ['a dispute of a charge that billing does not know', { payment_intent: 'pi_of_another' }],
    ['a dispute in another currency', { currency: 'jpy' }],
  ])('is not %s', async (_, changes) => {
    const account = await openPaid();
    const { id } = api.pages.dispute(account.payment_id, changes);
    expect(await account.receive('charge.dispute.created', id)).toEqual({ handled: false });
    expect((await account.show()).balance_micros).toBe(25 * USD);
    api.pages.disputes.splice(0);
  });

  it('keeps the books at zero', async () => {
    const { books, violations } = await billing.get(VerifyLedger).execute();
    expect(violations).toEqual([]);
    expect(Object.values<number>({ ...books }).reduce((sum, micros) => sum + micros, 0)).toBe(0);
    expect(books.debts_micros).toBeLessThan(0);
  });
});
