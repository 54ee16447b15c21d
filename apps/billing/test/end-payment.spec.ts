import { statement } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { useBilling } from './billing.fixtures';
import { ListPayments } from '../src/use-cases/list-records.query';
import { SetAutoRecharge } from '../src/use-cases/set-auto-recharge.use-case';
import { EndPayment } from '../src/use-cases/end-payment.use-case';

const billing = useBilling({ payments: 'sandbox', rechargeRetrySeconds: 0 });

const USD = 1_000_000;
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
  /** An account below the threshold of its recharge, which an open payment bars. */
  async function open({ provider = 'stripe', state = 'unknown', nextPollSeconds = HOUR } = {}) {
    const { account_id } = await billing.createAccount({ balance_micros: USD });
    const payment_id = uuidv7();
    const reference = state === 'begun' ? null : `pi_${payment_id}`;
    const off = { account_id, enabled: false, threshold_micros: 2 * USD, amount_micros: 5 * USD };
    await billing.get(SetAutoRecharge).execute(off);
    await billing.database.execute(INSERT, [payment_id, account_id, provider, state, reference, nextPollSeconds]);
    await billing.get(SetAutoRecharge).execute({ ...off, enabled: true });
    const find = async () => (await billing.get(ListPayments).execute({ account_id })).data;
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
