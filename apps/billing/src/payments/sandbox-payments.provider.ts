import { type Database, statement } from '@kinora/database';
import {
  type PaymentOrder,
  type PaymentOutcome,
  type PaymentProvider,
  PaymentRefused,
  type PaymentState,
} from './payment-provider.port';

/** Payment methods that simulate failures, like the test cards of payment providers. */
export const SANDBOX_METHODS = {
  succeeds: 'pm_sandbox_succeeds',
  declines: 'pm_sandbox_declines',
  /** Charges, but the response is lost. */
  timesOut: 'pm_sandbox_times_out',
  /** The first charge request is lost before it arrives. */
  losesRequest: 'pm_sandbox_loses_request',
  /** Charges once and reports the outcome twice. */
  answersTwice: 'pm_sandbox_answers_twice',
} as const;

/** Saved cards of the rehearsal that charge otherwise than by succeeding. */
const SAVED_CARDS: Record<string, string> = { declined_later: SANDBOX_METHODS.declines };
const FIND_CARD = statement('sandbox_card_find', 'SELECT card FROM sandbox_card WHERE id = $1');

const OPEN = statement(
  'sandbox_payment_open',
  `INSERT INTO sandbox_payment (reference, payment_id, method, amount_micros) VALUES ('sandbox_' || $1::uuid, $1, $2, $3)
   ON CONFLICT DO NOTHING`,
);

const COUNT_REQUEST = statement(
  'sandbox_payment_count_request',
  'UPDATE sandbox_payment SET requests = requests + 1 WHERE reference = $1 RETURNING requests',
);

const DECIDE = statement(
  'sandbox_payment_decide',
  `UPDATE sandbox_payment SET state = $2 WHERE reference = $1 AND state = 'unpaid'`,
);

const FIND = statement('sandbox_payment_find', 'SELECT state FROM sandbox_payment WHERE reference = $1');

/** Simulates a payment provider with its own records; no money moves. */
export class SandboxPayments implements PaymentProvider {
  readonly name = 'sandbox';
  readonly defaultMethod = SANDBOX_METHODS.succeeds;

  constructor(private readonly database: Database) {}

  async open({ id, payment_method, amount_micros }: PaymentOrder): Promise<string> {
    const method = await this.findMethod(payment_method);
    if (method === null) throw new PaymentRefused('no_such_payment_method');
    await this.database.execute(OPEN, [id, method, amount_micros]);
    return `sandbox_${id}`;
  }

  async charge(
    { payment_method }: PaymentOrder,
    reference: string,
    report: (outcome: PaymentOutcome) => Promise<void>,
  ): Promise<void> {
    const method = await this.findMethod(payment_method);
    const counted = await this.database.findOne<{ requests: number }>(COUNT_REQUEST, [reference]);
    if (method === SANDBOX_METHODS.losesRequest && counted?.requests === 1) throw new Error('the request was lost');
    await this.database.execute(DECIDE, [reference, method === SANDBOX_METHODS.declines ? 'declined' : 'paid']);
    if (method === SANDBOX_METHODS.timesOut) throw new Error('the answer was lost');
    const state = await this.find(reference);
    if (state.state !== 'succeeded' && state.state !== 'failed') return;
    const answers = method === SANDBOX_METHODS.answersTwice ? 2 : 1;
    await Promise.all(Array.from({ length: answers }, () => report(state)));
  }

  async find(reference: string): Promise<PaymentState> {
    const row = await this.database.findOne<{ state: 'unpaid' | 'paid' | 'declined' }>(FIND, [reference]);
    if (row?.state === 'paid') return { state: 'succeeded' };
    if (row?.state === 'declined') return { state: 'failed', reason: 'card_declined' };
    return { state: 'unpaid' };
  }

  /** Null for an unknown method, and for a saved card that was removed. */
  private async findMethod(paymentMethod: string): Promise<string | null> {
    if (isSandboxMethod(paymentMethod)) return paymentMethod;
    const saved = await this.database.findOne<{ card: string }>(FIND_CARD, [paymentMethod]);
    return SAVED_CARDS[saved?.card ?? ''] ?? (saved ? SANDBOX_METHODS.succeeds : null);
  }
}

function isSandboxMethod(method: string): boolean {
  return Object.values<string>(SANDBOX_METHODS).includes(method);
}
