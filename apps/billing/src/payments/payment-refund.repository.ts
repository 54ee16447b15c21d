import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { columnsOf, Database, type Queryable, type RowOf, statement, violatedConstraint } from '@kinora/database';
import { giveBack, takeBack } from '../wallet/take-back';
import { PaymentRefundEntity } from './reversal.entity';

const ROW = columnsOf(
  PaymentRefundEntity,
  ...(['id', 'account_id', 'payment_id', 'provider', 'charge', 'amount_micros', 'state', 'checks'] as const),
);
export type RefundRow = RowOf<typeof ROW>;

const LEASE = `interval '60 seconds'`;

/** The payments of an account that can go back, of either kind. */
const FIND_PAID = statement(
  'payment_find_paid',
  `SELECT id AS payment_id, account_id, provider, charge, amount_micros FROM checkout
   WHERE id = $1 AND account_id = $2 AND state = 'paid'
   UNION ALL
   SELECT id, account_id, provider, reference, amount_micros FROM payment
   WHERE id = $1 AND account_id = $2 AND state = 'succeeded'`,
);

const SUM = statement(
  'payment_refund_sum',
  `SELECT coalesce(sum(amount_micros), 0)::bigint AS micros FROM payment_refund WHERE payment_id = $1 AND state <> 'failed'`,
);

const BEGIN = statement(
  'payment_refund_begin',
  `WITH locked_wallet AS MATERIALIZED (
     SELECT account_id, available_micros FROM wallet WHERE account_id = $2 FOR UPDATE
   ), begun AS (
     INSERT INTO payment_refund (id, account_id, payment_id, provider, charge, amount_micros, next_check_at)
     SELECT $1, account_id, $3, $4, $5, $6, now() + ${LEASE} FROM locked_wallet
     RETURNING id, account_id, amount_micros
   ), taken AS (
     UPDATE wallet SET available_micros = locked_wallet.available_micros - begun.amount_micros
     FROM begun JOIN locked_wallet USING (account_id) WHERE wallet.account_id = begun.account_id
     RETURNING begun.*
   )
   INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, reason, reference)
   SELECT account_id, 'payment_refund', 'available', 'top_ups', amount_micros, $7, 'payment_refund ' || id FROM taken`,
);

const SUCCEED = statement(
  'payment_refund_succeed',
  `UPDATE payment_refund SET state = 'succeeded', reference = $2, ended_at = now() WHERE id = $1 AND state = 'begun'`,
);

/** One that the provider has made already, so that what the balance does not cover is owed. */
const FOLLOW = statement(
  'payment_refund_follow',
  `WITH followed AS (
     INSERT INTO payment_refund (id, account_id, payment_id, provider, charge, amount_micros, state, reference, ended_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'succeeded', $7, now())
     RETURNING id, account_id, amount_micros, 'refunded at ' || provider AS reason
   ), ${takeBack('followed', 'payment_refund')}`,
);

/** Also after a success: a bank may send the money back days later. */
const FAIL = statement(
  'payment_refund_fail',
  `WITH failed AS (
     UPDATE payment_refund SET state = 'failed', failure = $2, ended_at = now() WHERE id = $1 AND state <> 'failed'
     RETURNING id, account_id, amount_micros, 'the refund failed' AS reason
   ), ${giveBack('failed', 'payment_refund')}`,
);

const CLAIM = statement(
  'payment_refund_claim',
  `UPDATE payment_refund SET checks = checks + 1, next_check_at = now() + ${LEASE}
   WHERE id IN (SELECT id FROM payment_refund WHERE ended_at IS NULL AND next_check_at <= now()
                ORDER BY next_check_at LIMIT 10 FOR UPDATE SKIP LOCKED)
   RETURNING ${ROW.sql}`,
);

const POSTPONE = statement(
  'payment_refund_postpone',
  `UPDATE payment_refund SET next_check_at = now() + $2 * interval '1 second' WHERE id = $1 AND ended_at IS NULL`,
);

const FIND = statement('payment_refund_find', `SELECT ${ROW.sql} FROM payment_refund WHERE id = $1`);
const FIND_BY_REFERENCE = statement(
  'payment_refund_find_by_reference',
  `SELECT ${ROW.sql} FROM payment_refund WHERE reference = $2 AND provider = $1`,
);

export interface PaidPayment {
  payment_id: string;
  account_id: string;
  provider: string;
  charge: string;
  amount_micros: number;
}

/** Refunds of payments. The money leaves the balance in the statement that stores the refund. */
@Injectable()
export class PaymentRefundRepository {
  constructor(private readonly database: Database) {}

  findPaid(on: Queryable, accountId: string, paymentId: string): Promise<PaidPayment | null> {
    return on.findOne<PaidPayment>(FIND_PAID, [paymentId, accountId]);
  }

  async sumOf(on: Queryable, paymentId: string): Promise<number> {
    return (await on.findOne<{ micros: number }>(SUM, [paymentId]))?.micros ?? 0;
  }

  /** @throws ApiError invalid_body if the balance does not cover the amount */
  async begin(on: Queryable, id: string, paid: PaidPayment, amountMicros: number, reason: string): Promise<void> {
    const { account_id, payment_id, provider, charge } = paid;
    try {
      await on.execute(BEGIN, [id, account_id, payment_id, provider, charge, amountMicros, reason]);
    } catch (error) {
      if (violatedConstraint(error) !== 'wallet_available_micros_check') throw error;
      throw new ApiError('invalid_body', 'The amount exceeds what is unspent.', { param: 'amount_micros' });
    }
  }

  /** @returns what is owed by it. */
  async follow(transaction: Queryable, id: string, paid: PaidPayment, reference: string): Promise<number> {
    const { account_id, payment_id, provider, charge, amount_micros } = paid;
    const values = [id, account_id, payment_id, provider, charge, amount_micros, reference];
    return (await transaction.findOne<{ owed_micros: number }>(FOLLOW, values))?.owed_micros ?? 0;
  }

  async succeed(id: string, reference: string): Promise<boolean> {
    return (await this.database.execute(SUCCEED, [id, reference])) === 1;
  }

  /** @returns whether this call has ended it. */
  async fail(transaction: Queryable, id: string, reason: string): Promise<boolean> {
    return (await transaction.execute(FAIL, [id, reason])) > 0;
  }

  claim(): Promise<RefundRow[]> {
    return this.database.query<RefundRow>(CLAIM);
  }

  async postpone(id: string, seconds: number): Promise<void> {
    await this.database.execute(POSTPONE, [id, seconds]);
  }

  find(id: string, on: Queryable = this.database): Promise<RefundRow | null> {
    return on.findOne<RefundRow>(FIND, [id]);
  }

  findByReference(provider: string, reference: string, on: Queryable = this.database): Promise<RefundRow | null> {
    return on.findOne<RefundRow>(FIND_BY_REFERENCE, [provider, reference]);
  }
}
