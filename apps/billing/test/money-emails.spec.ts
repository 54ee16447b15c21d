import { waitFor } from '@kinora/testing';
import { statement } from '@kinora/database';
import { CheckoutController } from '../src/checkout.controller';
import { OwnMoneyController } from '../src/self-service.controller';
import { ListEmails } from '../src/use-cases/list-emails.query';
import { expiresSoon, WarnOfExpiringCards } from '../src/use-cases/warn-of-expiring-cards.use-case';
import { sha256, useBilling } from './billing.fixtures';
import { openToAll, People } from './users.fixtures';

const USD = 1_000_000;
const ADA = { name: 'Ada Ltd', address: '1 Main St\nLondon', tax_id: 'GB123456789' };
const NEXT_WEEK = statement('spec_check_cards_again', 'UPDATE payment_customer SET next_card_check_at = now()');

describe('e-mail about money', () => {
  const billing = useBilling({ ...openToAll(), payments: 'sandbox', rechargeRetrySeconds: 0 });

  /** An account that has paid with the card and saved it; its members are an owner, a bookkeeper and a developer. */
  async function payWith(card: string) {
    const people = new People(billing);
    const { account_id, api_key } = await people.signUp(`owner_${card}@people.test`);
    await people.join(account_id, `billing_${card}@people.test`, 'billing');
    await people.join(account_id, `developer_${card}@people.test`, 'developer');
    const key_sha256 = sha256(api_key);
    await billing.get(OwnMoneyController).setBillingDetails({ key_sha256, ...ADA });
    const page = { amount_micros: 25 * USD, saves_card: true, address: '127.0.0.1', return_url: 'http://127.0.0.1/m' };
    const pages = billing.get(CheckoutController);
    const { payment_id } = await pages.create({ key_sha256, ...page });
    await pages.payRehearsal({ key_sha256, payment_id, card, is_confirmed: true });
    await pages.show({ key_sha256, payment_id });
    const emails = async (kind: string) =>
      (await billing.get(ListEmails).list({})).data.filter(
        (email) => email.kind === kind && email.account_id === account_id,
      );
    return { key_sha256, payment_id, emails, pages };
  }

  const bothOf = (card: string, text: string) =>
    ['billing', 'owner'].map((name) => ({
      recipient: `${name}_${card}@people.test`,
      text: expect.stringContaining(text) as string,
    }));

  it('is a receipt of each payment, once, to those who see the money', async () => {
    const { key_sha256, payment_id, pages, emails } = await payWith('succeeds');
    await pages.show({ key_sha256, payment_id });
    const text = `Payment ${payment_id}\n\nAda Ltd\n\n1 Main St\nLondon\n\nTax id GB123456789\n`;
    expect(await emails('receipt')).toMatchObject(bothOf('succeeds', text));
  });

  it('says that auto-recharge has stopped, and not that a charge is repeated', async () => {
    const { key_sha256, emails } = await payWith('declined_later');
    const money = billing.get(OwnMoneyController);
    const card_id = (await money.listCards({ key_sha256 })).data[0]?.card_id ?? '';
    const amounts = { threshold_micros: 30 * USD, amount_micros: 10 * USD };
    await money.setAutoRecharge({ key_sha256, enabled: true, card_id, ...amounts });
    await waitFor(async () => (await money.showAutoRecharge({ key_sha256 })).auto_recharge?.enabled === false);
    const told = bothOf('declined_later', '3 charges in a row failed, the last one with card_declined.');
    expect(await emails('auto_recharge_stopped')).toMatchObject(told);
  });

  it('warns once of a card that expires soon', async () => {
    const [expiring, lasting] = [await payWith('expires'), await payWith('second_step')];
    for (let week = 0; week < 2; week += 1) {
      await billing.database.execute(NEXT_WEEK);
      await billing.get(WarnOfExpiringCards).execute();
    }
    expect(await expiring.emails('card_expires')).toMatchObject(bothOf('expires', 'visa ending in 0077'));
    expect(await lasting.emails('card_expires')).toEqual([]);
  });

  it.each([
    ['2026-11-30T23:59:59.999Z', false],
    ['2026-12-01T00:00:00Z', true],
    ['2026-12-31T23:59:59.999Z', true],
    ['2027-01-01T00:00:00Z', false],
  ])('warns of a card of December at %s: %s', (now, isWarned) => {
    expect(expiresSoon({ exp_month: 12, exp_year: 2026 }, Date.parse(now))).toBe(isWarned);
  });
});
