import { type Database, statement } from '@kinora/database';
import type { DisputeReport, RefundOrder, RefundReport, RefundState, ReversalProvider } from './reversal-provider.port';
import { REHEARSAL_CARDS } from './sandbox-cards';

/** Disputes come soon, so that a rehearsal takes seconds. */
const DISPUTED = `
   SELECT 'sandbox_dp_' || payment_id AS reference, 'sandbox_pi_' || payment_id AS charge, amount_micros, paid_with,
          paid_at < now() - interval '20 seconds' AS is_decided
   FROM sandbox_checkout
   WHERE paid_with = ANY($1) AND paid_at < now() - interval '5 seconds'`;
const LIST = statement('sandbox_checkout_list_disputes', `${DISPUTED} AND paid_at >= $2 LIMIT 100`);
const FIND = statement('sandbox_checkout_find_dispute', `${DISPUTED} AND payment_id = $2`);

interface DisputedCheckout {
  reference: string;
  charge: string;
  amount_micros: number;
  paid_with: string;
  is_decided: boolean;
}

const DISPUTED_CARDS = Object.keys(REHEARSAL_CARDS).filter((card) =>
  ['disputed', 'dispute_won'].includes(REHEARSAL_CARDS[card]?.outcome ?? ''),
);

/** Every refund succeeds; what was paid with some cards is disputed. */
export class SandboxReversals implements ReversalProvider {
  readonly name = 'sandbox';

  constructor(private readonly database: Database) {}

  refund({ id }: RefundOrder): Promise<RefundState> {
    return this.findRefund(`sandbox_re_${id}`);
  }

  findRefund(reference: string): Promise<RefundReport> {
    return Promise.resolve({ state: 'succeeded', reference, refunded: null });
  }

  /** The sandbox has no pages in which a refund is made. */
  async *listRefunds(): AsyncGenerator<RefundReport, void> {}

  async findDispute(reference: string): Promise<DisputeReport | null> {
    const row = await this.database.findOne<DisputedCheckout>(FIND, [
      DISPUTED_CARDS,
      reference.replace('sandbox_dp_', ''),
    ]);
    return row && toReport(row);
  }

  async *listDisputes(since: Date): AsyncGenerator<DisputeReport, void> {
    yield* (await this.database.query<DisputedCheckout>(LIST, [DISPUTED_CARDS, since])).map(toReport);
  }
}

function toReport({ paid_with, is_decided, ...dispute }: DisputedCheckout): DisputeReport {
  const isWon = is_decided && REHEARSAL_CARDS[paid_with]?.outcome === 'dispute_won';
  return { ...dispute, currency: 'usd', state: isWon ? 'won' : 'open' };
}
