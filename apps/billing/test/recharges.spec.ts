import type {
  AutoRechargeDetails,
  PaymentDetails,
  SetAutoRechargeRequest,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { monthAfter, statement } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { runConcurrently, useBilling } from './billing.fixtures';
import { BeginRecharges, SettlePayments } from '../src/use-cases/recharge-accounts.use-case';
import { GetAccount } from '../src/use-cases/get-account.query';
import { GetStatement } from '../src/use-cases/list-statement.query';
import { ListRecords } from '../src/use-cases/list-records.query';
import { SetAutoRecharge } from '../src/use-cases/set-auto-recharge.use-case';
import { PaymentRepository } from '../src/payments/payment.repository';
import { SANDBOX_METHODS } from '../src/payments/sandbox-payments.provider';
import { EndPayment } from '../src/use-cases/end-payment.use-case';

const USD = 1_000_000;
const FAIL_TWICE = statement('spec_fail_twice', 'UPDATE auto_recharge SET failures = 2 WHERE account_id = $1');
/** After the charge, whose last step sets the time of the next poll. Until then a lease of a minute holds the payment. */
const SETTLE_LATER = statement(
  'spec_settle_later',
  `UPDATE payment SET next_check_at = now() + interval '1 hour'
   WHERE id = $1 AND state = 'unknown' AND next_check_at < now() + interval '30 seconds'`,
);

describe('auto-recharge', () => {
  // A payment of the next month counts for the cap of the current one, also if that ends during a test.
  const createdAt = { payment: monthAfter(new Date(), 1) };
  const billing = useBilling({ payments: 'sandbox', rechargeRetrySeconds: 0 }, { createdAt });

  /** The loops of every process, one run after the other. */
  const runDue = (index: number): Promise<number> =>
    index % 2 === 0 ? billing.get(BeginRecharges).execute() : billing.get(SettlePayments).execute();

  /** What the loops do every half second, at once. */
  const runRound = async (): Promise<void> => {
    await runDue(0);
    await runDue(1);
  };

  /** An account with 10 USD that is charged 5 USD when its balance falls below 8 USD. */
  async function open(settings: Partial<SetAutoRechargeRequest> = {}) {
    const requests = { name: 'test', balance_micros: 10 * USD, max_concurrent_jobs: 1_000 };
    const { account_id, api_key_id } = await billing.createAccount(requests);
    const recharge = { account_id, enabled: true, threshold_micros: 8 * USD, amount_micros: 5 * USD, ...settings };
    await billing.get(SetAutoRecharge).execute(recharge);
    const show = () => billing.show(account_id);
    const payments = async () => (await billing.get(ListRecords).listPayments({ account_id })).data;
    return {
      account_id,
      api_key_id,
      show,
      payments,
      spend: (amount_micros: number) => billing.reserve({ account_id, job_id: uuidv7(), amount_micros }),
      hasBalance: (balance: number) =>
        waitFor(async () => {
          await runRound();
          return (await show()).balance_micros === balance;
        }),
      hasStopped: () =>
        waitFor(async () => {
          await runRound();
          const { auto_recharge } = await show();
          return auto_recharge?.enabled === false && auto_recharge;
        }),
    };
  }

  it('adds the amount when the balance falls below the threshold, and not before', async () => {
    const account = await open();
    await account.spend(2 * USD);
    await billing.get(BeginRecharges).execute();
    expect(await account.payments()).toEqual([]);
    await account.spend(1);
    // By the loops alone, without a round of the spec.
    await waitFor(async () => (await account.show()).balance_micros === 13 * USD - 1);
    const { data } = await billing.get(GetStatement).execute({ account_id: account.account_id });
    expect(data.at(-1)).toMatchObject({ kind: 'top_up', amount_micros: 5 * USD, reason: 'auto-recharge' });
    expect(await account.payments()).toMatchObject([{ provider: 'sandbox', state: 'succeeded', failure: null }]);
  });

  it('is shown in the account', async () => {
    const { account_id, api_key_id } = await open();
    const shown = await billing.get(GetAccount).execute({ account_id, api_key_id });
    expect(shown.auto_recharge).toEqual({ enabled: true, threshold_usd: 8, amount_usd: 5 });
  });

  it('charges once when many processes poll at the same time', async () => {
    const account = await open();
    await account.spend(3 * USD);
    await runConcurrently(60, (index) => runDue(index));
    await account.hasBalance(12 * USD);
    await runConcurrently(60, (index) => runDue(index));
    expect(await account.payments()).toHaveLength(1);
  });

  it('charges until the threshold is reached, one charge after the other', async () => {
    const account = await open({ threshold_micros: 18 * USD });
    await account.hasBalance(20 * USD);
    expect(await account.payments()).toHaveLength(2);
  });

  it.each([
    ['a lost response', SANDBOX_METHODS.timesOut, 1],
    ['a lost request', SANDBOX_METHODS.losesRequest, 2],
    ['a duplicate response', SANDBOX_METHODS.answersTwice, 1],
  ])('charges once in spite of %s', async (_, payment_method, requests) => {
    const account = await open({ payment_method });
    await account.spend(3 * USD);
    await account.hasBalance(12 * USD);
    const [payment, ...others] = await account.payments();
    expect([payment?.state, others]).toEqual(['succeeded', []]);
    const requestCount = statement('', 'SELECT requests FROM sandbox_payment WHERE reference = $1');
    expect(await billing.database.findOne(requestCount, [payment?.reference])).toEqual({ requests });
  });

  it('begins no other charge while the outcome of the previous one is unknown', async () => {
    const account = await open({ payment_method: SANDBOX_METHODS.timesOut });
    await account.spend(3 * USD);
    await waitFor(async () => (await account.payments())[0]?.state === 'unknown');
    expect(await billing.get(BeginRecharges).execute()).toBe(0);
    await account.hasBalance(12 * USD);
  });

  it('stops after three consecutive failures, logs that, and restarts when an operator sets it up again', async () => {
    const account = await open({ payment_method: SANDBOX_METHODS.declines });
    await account.spend(3 * USD);
    const stopped = await account.hasStopped();
    expect(stopped).toMatchObject({
      failures: 3,
      stopped_reason: '3 charges in a row failed, the last one with card_declined',
    } satisfies Partial<AutoRechargeDetails>);
    expect((await account.payments()).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    const { account_id } = account;
    const mended = { account_id, enabled: true, payment_method: SANDBOX_METHODS.succeeds };
    await billing.get(SetAutoRecharge).execute(mended);
    await account.hasBalance(12 * USD);
  });

  it('counts consecutive failures only: a success resets them', async () => {
    const account = await open({ payment_method: SANDBOX_METHODS.succeeds });
    await billing.database.execute(FAIL_TWICE, [account.account_id]);
    await account.spend(3 * USD);
    await account.hasBalance(12 * USD);
    expect((await account.show()).auto_recharge).toMatchObject({ failures: 0, enabled: true });
    const [paid] = await account.payments();
    expect(await billing.get(PaymentRepository).succeed(paid?.payment_id ?? '')).toBe(false);
  });

  const mayBeCharged = (payment: PaymentDetails | undefined, reference: string): Promise<boolean> =>
    billing.get(PaymentRepository).markSent(payment?.payment_id ?? '', reference);

  it('never charges an ended payment, nor one payment under two references', async () => {
    const declined = await open({ payment_method: SANDBOX_METHODS.declines });
    await declined.spend(3 * USD);
    await declined.hasStopped();
    const [ended] = await declined.payments();
    expect(await mayBeCharged(ended, ended?.reference ?? '')).toBe(false);
    const timedOut = await open({ payment_method: SANDBOX_METHODS.timesOut });
    await timedOut.spend(3 * USD);
    const sent = await waitFor(async () => (await timedOut.payments()).find(({ state }) => state === 'unknown'));
    // Otherwise billing itself settles it two seconds after its charge.
    await waitFor(async () => (await billing.database.execute(SETTLE_LATER, [sent.payment_id])) === 1);
    expect(await mayBeCharged(sent, 'sandbox_of_another')).toBe(false);
    expect(await mayBeCharged(sent, sent.reference ?? '')).toBe(true);
  });

  it('fails for an unknown payment method', async () => {
    const account = await open({ payment_method: 'pm_card_visa' });
    await account.spend(3 * USD);
    expect((await account.hasStopped()).stopped_reason).toContain('no_such_payment_method');
  });

  it('charges no more than the cap of a month', async () => {
    const account = await open({ threshold_micros: 100 * USD, monthly_cap_micros: 14 * USD });
    await account.hasBalance(20 * USD);
    expect(await billing.get(BeginRecharges).execute()).toBe(0);
    const { account_id } = account;
    await billing
      .get(SetAutoRecharge)
      .execute({ account_id, enabled: true, monthly_cap_micros: null, threshold_micros: 21 * USD });
    await account.hasBalance(25 * USD);
  });

  it('does not charge an account with disabled auto-recharge', async () => {
    const account = await open();
    const { account_id } = account;
    await billing.get(SetAutoRecharge).execute({ account_id, enabled: false });
    await account.spend(3 * USD);
    expect(await billing.get(BeginRecharges).execute()).toBe(0);
    expect((await account.show()).auto_recharge).toMatchObject({ enabled: false, threshold_micros: 8 * USD });
  });

  it.each([
    ['threshold_micros', { threshold_micros: undefined }],
    ['amount_micros', { amount_micros: 1_000_001 }],
    ['amount_micros', { amount_micros: 10_000 }],
    ['monthly_cap_micros', { monthly_cap_micros: USD }],
    ['enabled', { enabled: 'yes' }],
  ])('is refused with a bad %s: %j', async (param, wrong) => {
    const { account_id } = await billing.createAccount();
    const settings = { account_id, enabled: true, threshold_micros: USD, amount_micros: 5 * USD, ...wrong };
    const refused = billing.get(SetAutoRecharge).execute(settings as SetAutoRechargeRequest);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_body', param });
  });
});

/** The next poll is the one of a payment that was polled for hours. */
const INSERT = statement(
  'spec_insert_payment',
  `INSERT INTO payment (id, account_id, provider, amount_micros, payment_method, state, reference, checks, next_check_at)
   VALUES ($1, $2, $3, 5000000, 'pm', $4, $5, 12, now() + $6 * interval '1 second')`,
);
const KNOW_AT_SANDBOX = statement(
  'spec_know_at_sandbox',
  `INSERT INTO sandbox_payment (reference, payment_id, method, amount_micros, state, requests)
   VALUES ($1, $2, 'pm_sandbox_succeeds', 5000000, 'paid', 1)`,
);
const HOUR = 3_600;

describe('the end of a payment by an operator', () => {
  const billing = useBilling({ payments: 'sandbox', rechargeRetrySeconds: 0 });

  /** An account below the threshold of its recharge, which an open payment bars. */
  async function open({ provider = 'stripe', state = 'unknown', nextPollSeconds = HOUR } = {}) {
    const { account_id } = await billing.createAccount({ balance_micros: USD });
    const payment_id = uuidv7();
    const reference = state === 'begun' ? null : `pi_${payment_id}`;
    const off = { account_id, enabled: false, threshold_micros: 2 * USD, amount_micros: 5 * USD };
    await billing.get(SetAutoRecharge).execute(off);
    await billing.database.execute(INSERT, [payment_id, account_id, provider, state, reference, nextPollSeconds]);
    await billing.get(SetAutoRecharge).execute({ ...off, enabled: true });
    const find = async () => (await billing.get(ListRecords).listPayments({ account_id })).data;
    return {
      account_id,
      payment_id,
      reference,
      find,
      end: (other = {}) =>
        billing.get(EndPayment).execute({ account_id, payment_id, reason: 'the provider is gone', ...other }),
      balance: async () => (await billing.show(account_id)).balance_micros,
    };
  }

  it.each(['unknown', 'begun'])('lets the next recharge begin, from the state %s', async (state) => {
    const { account_id, payment_id, ...account } = await open({ state });
    const ended = await account.end({ actor: 'ada@example.com' });
    expect(ended).toMatchObject({ payment_id, state: 'failed', failure: 'ended_by_operator' });
    await waitFor(async () => (await account.balance()) === 6 * USD);
    expect((await account.find()).map((payment) => payment.state)).toEqual(['succeeded', 'failed']);
    const data = await billing.actionsOf(account_id);
    expect(data[0]).toMatchObject({
      ...{ action: 'end_payment', actor: 'ada@example.com', reason: 'the provider is gone' },
      details: { payment_id },
    });
    // A repeat changes nothing.
    expect(await account.end()).toEqual(ended);
    expect(await account.balance()).toBe(6 * USD);
  });

  it('books the money that a last look-up finds', async () => {
    const account = await open({ provider: 'sandbox' });
    await billing.database.execute(KNOW_AT_SANDBOX, [account.reference, account.payment_id]);
    expect(await account.end()).toMatchObject({ state: 'succeeded', failure: null });
    expect(await account.balance()).toBe(6 * USD);
  });

  it('waits for a process that may be working on the payment', async () => {
    const account = await open({ nextPollSeconds: 50 });
    await expect(account.end()).rejects.toMatchObject({ code: 'invalid_body', param: 'payment_id' });
    expect(await account.find()).toMatchObject([{ state: 'unknown' }]);
  });

  it('needs a reason, and a payment of the account', async () => {
    const account = await open();
    await expect(account.end({ reason: undefined })).rejects.toMatchObject({ param: 'reason' });
    await expect(account.end({ payment_id: uuidv7() })).rejects.toMatchObject({ code: 'not_found' });
    const other = await open();
    await expect(account.end({ payment_id: other.payment_id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(account.end({ payment_id: 'x' })).rejects.toMatchObject({ param: 'payment_id' });
  });
});
