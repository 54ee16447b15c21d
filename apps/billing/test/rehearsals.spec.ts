import { waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { CheckoutController } from '../src/checkout.controller';
import { OwnMoneyController } from '../src/self-service.controller';
import { SweepReversals } from '../src/use-cases/sweep-reversals.use-case';
import { statement } from '@kinora/database';
import { countByOutcome, runConcurrently, useBilling } from './billing.fixtures';
import { SelfService } from './self-service.fixtures';

const USD = 1_000_000;
const LATER = statement('spec_pay_earlier', `UPDATE sandbox_checkout SET paid_at = paid_at - interval '10 seconds'`);

/** The whole way at the sandbox provider, by the proof of a key. */
describe('the rehearsal of a payment', () => {
  const billing = useBilling({ payments: 'sandbox', rechargeRetrySeconds: 0 });

  async function open({ saves_card = false } = {}) {
    const own = await SelfService.open(billing, 0);
    const { key_sha256 } = own;
    const pages = billing.get(CheckoutController);
    const money = billing.get(OwnMoneyController);
    const return_url = 'http://127.0.0.1:8081/money/top-ups';
    const request = { key_sha256, amount_micros: 25 * USD, saves_card, address: '127.0.0.1', return_url };
    const { payment_id, url } = await pages.create(request);
    return {
      ...{ own, key_sha256, pages, money, payment_id, url },
      account_id: own.caller.account_id,
      page: () => pages.showRehearsal({ key_sha256, payment_id }),
      pay: (card: string, is_confirmed = false) => pages.payRehearsal({ key_sha256, payment_id, card, is_confirmed }),
      show: () => pages.show({ key_sha256, payment_id }),
      balance: async () => (await billing.show(own.caller.account_id)).balance_micros,
    };
  }

  it('is paid at a page of the console, and credited when the customer is back', async () => {
    const account = await open();
    expect(account.url).toBe(`http://127.0.0.1:8081/rehearsal/${account.payment_id}`);
    expect(await account.page()).toMatchObject({ state: 'open', amount_micros: 25 * USD });
    expect(await account.pay('succeeds')).toEqual({ outcome: 'paid' });
    expect(await account.show()).toMatchObject({ state: 'paid', url: null });
    expect(await account.balance()).toBe(25 * USD);
    expect((await account.money.listCards(account)).data).toEqual([]);
  });

  it('is declined by a card, and paid by another, in two steps', async () => {
    const account = await open();
    expect(await account.pay('declined')).toEqual({ outcome: 'declined' });
    expect(await account.pay('second_step')).toEqual({ outcome: 'needs_confirmation' });
    expect(await account.show()).toMatchObject({ state: 'open' });
    expect(await account.pay('second_step', true)).toEqual({ outcome: 'paid' });
  });

  it('is paid by one of two browsers', async () => {
    const account = await open();
    const outcomes = await runConcurrently(10, async () => (await account.pay('succeeds')).outcome);
    expect(countByOutcome(outcomes)).toEqual({ paid: 1, invalid_body: 9 });
    await account.show();
    expect(await account.balance()).toBe(25 * USD);
  });

  it('is not shown to, nor paid by, another account', async () => {
    const [account, other] = [await open(), await open()];
    const foreign = { key_sha256: other.key_sha256, payment_id: account.payment_id };
    for (const refused of [
      () => account.pages.showRehearsal(foreign),
      () => account.pages.show(foreign),
      () => account.pages.payRehearsal({ ...foreign, card: 'succeeds', is_confirmed: true }),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is disputed later by some cards', async () => {
    const account = await open();
    await account.pay('disputed');
    await account.show();
    await billing.database.execute(LATER);
    await billing.get(SweepReversals).execute();
    expect(await account.balance()).toBe(0);
  });

  it('saves a card, by which the customer switches auto-recharge on, until the card is removed', async () => {
    const account = await open({ saves_card: true });
    const { key_sha256, money } = account;
    await account.pay('succeeds');
    await account.show();
    const { data } = await money.listCards({ key_sha256 });
    expect(data).toMatchObject([{ brand: 'visa', last4: '4242', exp_month: 12 }]);
    const card_id = data[0]?.card_id ?? '';
    const amounts = { threshold_micros: 20 * USD, amount_micros: 10 * USD, monthly_cap_micros: 10 * USD };
    await money.setAutoRecharge({ key_sha256, enabled: true, card_id, ...amounts });
    await billing.reserve({ account_id: account.account_id, job_id: uuidv7(), amount_micros: 6 * USD });
    await waitFor(async () => (await account.balance()) === 29 * USD);
    await money.removeCard({ key_sha256, card_id });
    expect((await money.listCards({ key_sha256 })).data).toEqual([]);
    const { auto_recharge } = await money.showAutoRecharge({ key_sha256 });
    expect(auto_recharge).toMatchObject({ enabled: false, stopped_reason: 'the card was removed' });
  });

  it('gives no account the card of another one', async () => {
    const [account, other] = [await open({ saves_card: true }), await open()];
    await account.pay('succeeds');
    const { data } = await account.money.listCards(account);
    const card_id = data[0]?.card_id ?? '';
    const amounts = { threshold_micros: 20 * USD, amount_micros: 10 * USD };
    const { key_sha256, money } = other;
    await expect(money.setAutoRecharge({ key_sha256, enabled: true, card_id, ...amounts })).rejects.toMatchObject({
      ...{ code: 'not_found', param: 'card_id' },
    });
    await expect(money.removeCard({ key_sha256, card_id })).rejects.toMatchObject({ code: 'not_found' });
    expect((await account.money.listCards(account)).data).toHaveLength(1);
  });
});
