import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { AutoRechargeDetails, PaymentDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { columnsOf, Database, type Queryable, type RowOf, statement } from '@kinora/database';
import type { PagePlace } from '../operator/page-place';
import { payIn } from '../wallet/pay-in';
import type { PaymentOrder } from './payment-provider.port';
import { AutoRechargeEntity, PaymentEntity } from './payment.entity';

export type NewAutoRecharge = Omit<AutoRechargeDetails, 'failures' | 'stopped_reason'> & { account_id: string };

const SETTINGS = columnsOf(
  AutoRechargeEntity,
  ...(['enabled', 'threshold_micros', 'amount_micros', 'monthly_cap_micros'] as const),
  ...(['payment_method', 'customer', 'failures', 'stopped_reason'] as const),
);

const LOCK = statement('auto_recharge_lock', 'SELECT account_id FROM auto_recharge WHERE account_id = $1 FOR UPDATE');

/**
 * Accounts that are due for a charge. All payments except failed ones count against the cap of the month (UTC), because
 * one with an unknown outcome may have succeeded.
 */
const DUE = `
  FROM auto_recharge JOIN wallet USING (account_id) JOIN account ON account.id = account_id
  WHERE enabled AND account.status = 'active' AND available_micros < threshold_micros AND retry_at <= now()
    AND NOT EXISTS (SELECT FROM payment WHERE payment.account_id = auto_recharge.account_id AND ended_at IS NULL)
    AND (monthly_cap_micros IS NULL OR auto_recharge.amount_micros <= monthly_cap_micros - (
      SELECT coalesce(sum(payment.amount_micros), 0) FROM payment
      WHERE payment.account_id = auto_recharge.account_id AND payment.state <> 'failed'
        AND payment.created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'))`;

const LIST_DUE = statement('auto_recharge_list_due', `SELECT account_id ${DUE} LIMIT 100`);

const STOP_CARD = statement(
  'auto_recharge_stop_card',
  `UPDATE auto_recharge SET enabled = false, stopped_reason = 'the card was removed'
   WHERE account_id = $1 AND payment_method = $2 AND enabled`,
);

/** The auto-recharge settings of accounts. */
@Injectable()
export class AutoRechargeRepository {
  constructor(
    @InjectRepository(AutoRechargeEntity) private readonly recharges: Repository<AutoRechargeEntity>,
    private readonly database: Database,
  ) {}

  find(accountId: string): Promise<AutoRechargeDetails | null> {
    return this.recharges.findOne({ select: SETTINGS.selected, where: { account_id: accountId } });
  }

  /** Stores the settings and resets the failures. */
  async set(on: Queryable, recharge: NewAutoRecharge): Promise<void> {
    const anew = { failures: 0, retry_at: () => 'now()', stopped_reason: null };
    await on.repository(AutoRechargeEntity).upsert({ ...recharge, ...anew }, ['account_id']);
  }

  /** Serializes the begins and the ends of an account's payments by a row lock. */
  async lock(transaction: Queryable, accountId: string): Promise<void> {
    await transaction.execute(LOCK, [accountId]);
  }

  async stopCard(on: Queryable, accountId: string, cardId: string): Promise<void> {
    await on.execute(STOP_CARD, [accountId, cardId]);
  }

  async listDue(): Promise<string[]> {
    return (await this.database.query<{ account_id: string }>(LIST_DUE)).map(({ account_id }) => account_id);
  }
}

export interface OpenPayment extends PaymentOrder, Pick<PaymentEntity, 'provider' | 'reference' | 'checks'> {
  state: 'begun' | 'unknown';
}

/** After this many consecutive failures, auto-recharge stops and needs an operator. */
const MAX_FAILURES = 3;
/** The lease is longer than any step of a payment, so only one process works on a payment at a time. */
const LEASE_SECONDS = 60;

const BEGIN = statement(
  'payment_begin',
  `INSERT INTO payment (id, account_id, provider, amount_micros, payment_method, customer)
   SELECT $1, account_id, $2, amount_micros, payment_method, customer ${DUE} AND account_id = $3`,
);

const LEASE = `UPDATE payment SET checks = checks + 1, next_check_at = now() + ${LEASE_SECONDS} * interval '1 second'`;
const LEASED = 'RETURNING id, account_id, provider, amount_micros, payment_method, customer, state, reference, checks';

const CLAIM = statement(
  'payment_claim',
  `${LEASE}
   WHERE id IN (SELECT id FROM payment WHERE ended_at IS NULL AND next_check_at <= now()
                ORDER BY next_check_at LIMIT 10 FOR UPDATE SKIP LOCKED)
   ${LEASED}`,
);

/** A next poll later than the end of any lease proves that no process works on the payment. */
const CLAIM_ONE = statement(
  'payment_claim_one',
  `${LEASE}
   WHERE id = $1 AND account_id = $2 AND ended_at IS NULL
     AND (next_check_at <= now() OR next_check_at > now() + ${LEASE_SECONDS} * interval '1 second')
   ${LEASED}`,
);

const POSTPONE = statement(
  'payment_postpone',
  `UPDATE payment SET next_check_at = now() + $2 * interval '1 second' WHERE id = $1 AND ended_at IS NULL`,
);

/**
 * Runs before the charge is sent: from here on, the outcome is unknown until the provider reports it. It changes no row
 * if the caller's lease has expired and another process has ended the payment or opened it under another reference.
 */
const MARK_SENT = statement(
  'payment_mark_sent',
  `UPDATE payment SET state = 'unknown', reference = $2
   WHERE id = $1 AND ended_at IS NULL AND coalesce(reference, $2) = $2`,
);

/** The update of the payment's row decides which call ends it. The wallet's row is locked last. */
const SUCCEED = statement(
  'payment_succeed',
  `WITH paid AS (
     UPDATE payment SET state = 'succeeded', ended_at = now() WHERE id = $1 AND state = 'unknown'
     RETURNING id, account_id, amount_micros
   ), forgiven AS (
     UPDATE auto_recharge SET failures = 0 FROM paid WHERE auto_recharge.account_id = paid.account_id
     RETURNING paid.account_id, paid.amount_micros, 'auto-recharge' AS reason, NULL::text AS reference, paid.id AS payment_id
   ), ${payIn('forgiven')}`,
);

const FAIL = statement(
  'payment_fail',
  `WITH failed AS (
     UPDATE payment SET state = 'failed', failure = $2, ended_at = now() WHERE id = $1 AND ended_at IS NULL
     RETURNING account_id
   )
   UPDATE auto_recharge
   SET failures = failures + 1, retry_at = now() + $3 * interval '1 second',
       enabled = enabled AND failures + 1 < ${MAX_FAILURES},
       stopped_reason = CASE WHEN enabled AND failures + 1 >= ${MAX_FAILURES}
                             THEN '${MAX_FAILURES} charges in a row failed, the last one with ' || $2 ELSE stopped_reason END
   FROM failed WHERE auto_recharge.account_id = failed.account_id
   RETURNING auto_recharge.stopped_reason`,
);

const SHOWN = columnsOf(
  PaymentEntity,
  ...(['id', 'provider', 'amount_micros', 'state', 'reference', 'failure', 'created_at', 'ended_at'] as const),
);

const FIND = statement('payment_find', `SELECT ${SHOWN.sql} FROM payment WHERE id = $1 AND account_id = $2`);

/** Payments of both kinds, with what has become of them. */
const LIST = statement(
  'payment_list',
  `WITH last AS (
     SELECT created_at, id FROM payment WHERE id = $2 UNION ALL SELECT created_at, id FROM checkout WHERE id = $2
   )
   SELECT page.*,
          (SELECT coalesce(sum(refund.amount_micros), 0)::bigint FROM payment_refund AS refund
           WHERE refund.payment_id = page.id AND refund.state <> 'failed') AS refunded_micros,
          (SELECT dispute.state FROM dispute WHERE dispute.payment_id = page.id ORDER BY dispute.id DESC LIMIT 1) AS dispute
   FROM (
     (SELECT ${SHOWN.sql}, 'recharge' AS kind, NULL AS invoice_url FROM payment
      WHERE account_id = $1 AND ($2::uuid IS NULL OR (created_at, id) < (SELECT last.created_at, last.id FROM last))
      ORDER BY created_at DESC, id DESC LIMIT $3)
     UNION ALL
     (SELECT id, provider, amount_micros,
             CASE state WHEN 'paid' THEN 'succeeded' WHEN 'open' THEN CASE WHEN reference IS NULL THEN 'begun' ELSE 'unknown' END
                        ELSE 'failed' END,
             coalesce(charge, reference), CASE WHEN state IN ('expired', 'refused') THEN state END, created_at, ended_at,
             'checkout', invoice_url
      FROM checkout
      WHERE account_id = $1 AND ($2::uuid IS NULL OR (created_at, id) < (SELECT last.created_at, last.id FROM last))
      ORDER BY created_at DESC, id DESC LIMIT $3)
   ) AS page ORDER BY created_at DESC, id DESC LIMIT $3`,
  { mayBeStale: true },
);

/** Payments of auto-recharge. Each change is one statement, guarded by the expected state. */
@Injectable()
export class PaymentRepository {
  constructor(private readonly database: Database) {}

  /**
   * Inserts a payment if one is due. The account's auto-recharge must be locked, or two payments could begin.
   * @returns whether a payment was inserted
   */
  async begin(transaction: Queryable, id: string, provider: string, accountId: string): Promise<boolean> {
    return (await transaction.execute(BEGIN, [id, provider, accountId])) === 1;
  }

  /** Claims unclaimed payments for a lease of one minute. */
  claim(): Promise<OpenPayment[]> {
    return this.database.query<OpenPayment>(CLAIM);
  }

  /** The same for one payment, also before its next poll. Null if it has ended, or while another process works on it. */
  claimOne(accountId: string, id: string): Promise<OpenPayment | null> {
    return this.database.findOne<OpenPayment>(CLAIM_ONE, [id, accountId]);
  }

  async postpone(id: string, seconds: number): Promise<void> {
    await this.database.execute(POSTPONE, [id, seconds]);
  }

  /** @returns whether the payment may be charged under this reference. */
  async markSent(id: string, reference: string): Promise<boolean> {
    return (await this.database.execute(MARK_SENT, [id, reference])) === 1;
  }

  /** Whether this call has ended the payment. */
  async succeed(id: string, on: Queryable = this.database): Promise<boolean> {
    return (await on.findOne(SUCCEED, [id])) !== null;
  }

  /**
   * Null if the payment had already ended; otherwise the reason why auto-recharge stopped, or null in `stopped_reason` if
   * it did not.
   */
  async fail(
    id: string,
    reason: string,
    retrySeconds: number,
    on: Queryable = this.database,
  ): Promise<{ stopped_reason: string | null } | null> {
    return on.findOne<{ stopped_reason: string | null }>(FAIL, [id, reason, retrySeconds]);
  }

  async find(accountId: string, id: string): Promise<PaymentDetails | null> {
    const row = await this.database.findOne<RowOf<typeof SHOWN>>(FIND, [id, accountId]);
    return row && toDetails(row);
  }

  /** Newest first. */
  async list(accountId: string, { cursor, limit }: PagePlace): Promise<PaymentDetails[]> {
    const rows = await this.database.query<RowOf<typeof SHOWN> & ListedFields>(LIST, [accountId, cursor, limit]);
    return rows.map(toDetails);
  }
}

type ListedFields = Pick<PaymentDetails, 'kind' | 'invoice_url' | 'refunded_micros' | 'dispute'>;

function toDetails({ id, created_at, ended_at, ...payment }: RowOf<typeof SHOWN> & ListedFields): PaymentDetails {
  return {
    payment_id: id,
    ...payment,
    created_at: created_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  };
}
