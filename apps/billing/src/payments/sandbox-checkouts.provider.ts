import type { Card } from '@kinora/contracts/billing/cards.rpc';
import { type Database, statement } from '@kinora/database';
import type { CheckoutOrder, CheckoutProvider, CheckoutState } from './checkout-provider.port';
import { REHEARSAL_CARDS } from './sandbox-cards';

const OPEN = statement(
  'sandbox_checkout_open',
  `INSERT INTO sandbox_checkout (reference, payment_id, account_id, customer, amount_micros, saves_card, return_url, expires_at)
   VALUES ('sandbox_cs_' || $1::uuid, $1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
);

const FIND = statement(
  'sandbox_checkout_find',
  `SELECT payment_id, account_id, amount_micros, CASE WHEN paid_with IS NOT NULL THEN 'paid'
          WHEN expires_at <= now() THEN 'expired' ELSE 'open' END AS state
   FROM sandbox_checkout WHERE reference = $1`,
);

const LIST_CARDS = statement(
  'sandbox_card_list',
  'SELECT id, card FROM sandbox_card WHERE customer = $1 ORDER BY card',
);
const REMOVE_CARD = statement('sandbox_card_remove', 'DELETE FROM sandbox_card WHERE id = $1');

interface FoundCheckout {
  payment_id: string;
  account_id: string;
  amount_micros: number;
  state: 'open' | 'paid' | 'expired';
}

/** A page of the console that stands for the page of a payment provider; no money moves. */
export class SandboxCheckouts implements CheckoutProvider {
  readonly name = 'sandbox';
  readonly sendsReceipts = false;

  constructor(private readonly database: Database) {}

  openCustomer({ account_id }: { account_id: string }): Promise<string> {
    return Promise.resolve(`sandbox_cus_${account_id}`);
  }

  async openCheckout(order: CheckoutOrder): Promise<{ reference: string; url: string }> {
    const { id, account_id, customer, amount_micros, saves_card, return_url, expires_at } = order;
    await this.database.execute(OPEN, [id, account_id, customer, amount_micros, saves_card, return_url, expires_at]);
    return { reference: `sandbox_cs_${id}`, url: new URL(`/rehearsal/${id}`, return_url).href };
  }

  async findCheckout(reference: string): Promise<CheckoutState> {
    const found = await this.database.findOne<FoundCheckout>(FIND, [reference]);
    if (found?.state === 'open') return { state: 'open' };
    if (found?.state !== 'paid') return { state: 'expired' };
    const charge = reference.replace('sandbox_cs_', 'sandbox_pi_');
    return { ...found, state: 'paid', currency: 'usd', charge, invoice_url: null };
  }

  async listCards(customer: string): Promise<Card[]> {
    const rows = await this.database.query<{ id: string; card: string }>(LIST_CARDS, [customer]);
    const now = new Date();
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
    return rows.map(({ id, card }) => ({
      ...{ card_id: id, brand: 'visa', last4: REHEARSAL_CARDS[card]?.number.slice(-4) ?? '' },
      ...(card === 'expires' ? { exp_month: month, exp_year: year } : { exp_month: 12, exp_year: year + 3 }),
    }));
  }

  async removeCard(cardId: string): Promise<void> {
    await this.database.execute(REMOVE_CARD, [cardId]);
  }

  findProblems(): Promise<string[]> {
    return Promise.resolve([]);
  }
}
