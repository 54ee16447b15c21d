import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Queryable, type RowOf, statement } from '@kinora/database';
import { giveBack, takeBack } from '../wallet/take-back';
import type { DisputeReport } from './reversal-provider.port';
import { DisputeEntity } from './reversal.entity';

const ROW = columnsOf(
  DisputeEntity,
  ...(['id', 'account_id', 'provider', 'reference', 'amount_micros', 'state'] as const),
);
type DisputeRow = RowOf<typeof ROW>;

/** A dispute is opened once. */
const OPEN = statement(
  'dispute_open',
  `WITH opened AS (
     INSERT INTO dispute (id, account_id, payment_id, provider, reference, amount_micros) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (reference) DO NOTHING RETURNING id, account_id, amount_micros, 'disputed payment' AS reason
   ), ${takeBack('opened', 'dispute')}`,
);

const WIN = statement(
  'dispute_win',
  `WITH won AS (
     UPDATE dispute SET state = 'won', ended_at = now() WHERE reference = $1 AND state = 'open'
     RETURNING id, account_id, amount_micros, 'dispute won' AS reason
   ), ${giveBack('won', 'dispute')}`,
);

const LOSE = statement(
  'dispute_lose',
  `UPDATE dispute SET state = 'lost', ended_at = now() WHERE reference = $1 AND state = 'open'`,
);

const LIST_OPEN = statement(
  'dispute_list_open',
  `SELECT ${ROW.sql} FROM dispute
   WHERE ended_at IS NULL
     AND ($1::uuid IS NULL OR (created_at, id) > (SELECT last.created_at, last.id FROM dispute AS last WHERE last.id = $1))
   ORDER BY created_at, id LIMIT 100`,
);

const COUNT_OF_PAYMENT = statement(
  'dispute_count_of_payment',
  `SELECT count(*) AS disputes FROM dispute WHERE payment_id = $1 AND state <> 'won'`,
);

/** The charges that a payment provider has made for customers, by its id. */
const FIND_CHARGED = statement(
  'payment_find_charged',
  `SELECT id AS payment_id, account_id, amount_micros FROM checkout WHERE charge = $2 AND provider = $1
   UNION ALL
   SELECT id, account_id, amount_micros FROM payment WHERE reference = $2 AND provider = $1 AND state = 'succeeded'`,
);

export interface ChargedPayment {
  payment_id: string;
  account_id: string;
  amount_micros: number;
}

/** Disputes, with the moves of money that they lead to. */
@Injectable()
export class DisputeRepository {
  constructor(private readonly database: Database) {}

  findCharged(provider: string, charge: string): Promise<ChargedPayment | null> {
    return this.database.findOne<ChargedPayment>(FIND_CHARGED, [provider, charge]);
  }

  /** @returns what is owed by this dispute; null if it was opened before. */
  async open(
    transaction: Queryable,
    id: string,
    provider: string,
    { payment_id, account_id }: ChargedPayment,
    { reference, amount_micros }: DisputeReport,
  ): Promise<number | null> {
    const values = [id, account_id, payment_id, provider, reference, amount_micros];
    return (await transaction.findOne<{ owed_micros: number }>(OPEN, values))?.owed_micros ?? null;
  }

  /** @returns whether this call has ended it. */
  async end(transaction: Queryable, reference: string, state: 'won' | 'lost'): Promise<boolean> {
    return (await transaction.execute(state === 'won' ? WIN : LOSE, [reference])) > 0;
  }

  /** Those after one of them, a page of a hundred. */
  listOpen(afterId: string | null): Promise<DisputeRow[]> {
    return this.database.query<DisputeRow>(LIST_OPEN, [afterId]);
  }

  /** Whether the payment is disputed, or a dispute has taken it. */
  async hasDispute(transaction: Queryable, paymentId: string): Promise<boolean> {
    const counted = await transaction.findOne<{ disputes: number }>(COUNT_OF_PAYMENT, [paymentId]);
    return (counted?.disputes ?? 0) > 0;
  }
}
