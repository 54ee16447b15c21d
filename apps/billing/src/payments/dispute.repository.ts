import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Queryable, type RowOf, statement } from '@kinora/database';
import type { DisputeReport } from './reversal-provider.port';
import { DisputeEntity } from './reversal.entity';

const ROW = columnsOf(
  DisputeEntity,
  ...(['id', 'account_id', 'provider', 'reference', 'amount_micros', 'state'] as const),
);
type DisputeRow = RowOf<typeof ROW>;

const LOCKED_WALLET = (source: string): string => `
   locked_wallet AS MATERIALIZED (
     SELECT account_id, available_micros, owed_micros FROM wallet
     WHERE account_id IN (SELECT account_id FROM ${source}) FOR UPDATE
   )`;

const MOVE = `INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, reason, reference)
   SELECT account_id, 'dispute', move.debit, move.credit, move.micros, move.reason, 'dispute ' || id || move.part`;

/** Takes the amount from the balance. What the balance does not cover is owed. A dispute is opened once. */
const OPEN = statement(
  'dispute_open',
  `WITH opened AS (
     INSERT INTO dispute (id, account_id, payment_id, provider, reference, amount_micros) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (reference) DO NOTHING RETURNING id, account_id, amount_micros
   ), ${LOCKED_WALLET('opened')}, share AS (
     SELECT opened.*, available_micros, owed_micros, least(available_micros, amount_micros) AS taken_micros
     FROM opened JOIN locked_wallet USING (account_id)
   ), moved AS (
     UPDATE wallet
     SET available_micros = share.available_micros - taken_micros,
         owed_micros = share.owed_micros + amount_micros - taken_micros
     FROM share WHERE wallet.account_id = share.account_id
     RETURNING share.*
   ), entered AS (
     ${MOVE} FROM moved CROSS JOIN LATERAL (VALUES
       ('available', 'top_ups', taken_micros, 'disputed payment', ''),
       ('debts', 'top_ups', amount_micros - taken_micros, 'disputed payment, owed', ' owed')
     ) AS move (debit, credit, micros, reason, part) WHERE move.micros > 0
   )
   SELECT amount_micros - taken_micros AS owed_micros FROM moved`,
);

/** Gives the amount back; what is owed is paid with it first. */
const WIN = statement(
  'dispute_win',
  `WITH won AS (
     UPDATE dispute SET state = 'won', ended_at = now() WHERE reference = $1 AND state = 'open'
     RETURNING id, account_id, amount_micros
   ), ${LOCKED_WALLET('won')}, share AS (
     SELECT won.*, available_micros, owed_micros, least(owed_micros, amount_micros) AS forgiven_micros
     FROM won JOIN locked_wallet USING (account_id)
   ), moved AS (
     UPDATE wallet
     SET available_micros = share.available_micros + amount_micros - forgiven_micros,
         owed_micros = share.owed_micros - forgiven_micros
     FROM share WHERE wallet.account_id = share.account_id
     RETURNING share.*
   )
   ${MOVE} FROM moved CROSS JOIN LATERAL (VALUES
     ('top_ups', 'debts', forgiven_micros, 'dispute won, not owed any more', ' forgiven'),
     ('top_ups', 'available', amount_micros - forgiven_micros, 'dispute won', ' returned')
   ) AS move (debit, credit, micros, reason, part) WHERE move.micros > 0`,
);

const LOSE = statement(
  'dispute_lose',
  `UPDATE dispute SET state = 'lost', ended_at = now() WHERE reference = $1 AND state = 'open'`,
);

const LIST_OPEN = statement(
  'dispute_list_open',
  `SELECT ${ROW.sql} FROM dispute WHERE ended_at IS NULL ORDER BY created_at LIMIT 100`,
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

  listOpen(): Promise<DisputeRow[]> {
    return this.database.query<DisputeRow>(LIST_OPEN);
  }

  /** Whether the payment is disputed, or a dispute has taken it. */
  async hasDispute(transaction: Queryable, paymentId: string): Promise<boolean> {
    const counted = await transaction.findOne<{ disputes: number }>(COUNT_OF_PAYMENT, [paymentId]);
    return (counted?.disputes ?? 0) > 0;
  }
}
