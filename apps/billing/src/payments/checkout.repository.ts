import { Injectable } from '@nestjs/common';
import type { Checkout } from '@kinora/contracts/billing/checkout.rpc';
import { columnsOf, Database, type Queryable, type RowOf, statement } from '@kinora/database';
import { CheckoutEntity } from './checkout.entity';
import { payIn } from '../wallet/pay-in';
import type { PaidCheckout } from './checkout-provider.port';

const ROW = columnsOf(
  CheckoutEntity,
  ...(['id', 'account_id', 'provider', 'amount_micros', 'saves_card', 'state', 'reference', 'url'] as const),
  ...(['charge', 'invoice_url', 'checks', 'created_at', 'ended_at'] as const),
);
export type CheckoutRow = RowOf<typeof ROW>;

/** How long a process may take to open a page, or to look one up. */
const LEASE = `interval '60 seconds'`;

const BEGIN = statement(
  'checkout_begin',
  `INSERT INTO checkout (id, account_id, provider, amount_micros, saves_card, address, next_check_at)
   VALUES ($1, $2, $3, $4, $5, $6, now() + ${LEASE}) RETURNING ${ROW.sql}`,
);

const OPENED = statement(
  'checkout_opened',
  `UPDATE checkout SET reference = $2, url = $3 WHERE id = $1 AND state = 'open' AND coalesce(reference, $2) = $2
   RETURNING ${ROW.sql}`,
);

const FIND = statement('checkout_find', `SELECT ${ROW.sql} FROM checkout WHERE id = $1 AND account_id = $2`);
const FIND_BY_REFERENCE = statement(
  'checkout_find_by_reference',
  `SELECT ${ROW.sql} FROM checkout WHERE reference = $2 AND provider = $1`,
);

const CLAIM = statement(
  'checkout_claim',
  `UPDATE checkout SET checks = checks + 1, next_check_at = now() + ${LEASE}
   WHERE id IN (SELECT id FROM checkout WHERE ended_at IS NULL AND next_check_at <= now()
                ORDER BY next_check_at LIMIT 20 FOR UPDATE SKIP LOCKED)
   RETURNING ${ROW.sql}`,
);

/** Each reload of the page that the customer comes back to would otherwise be a request to the provider. */
const CLAIM_FOR_CUSTOMER = statement(
  'checkout_claim_for_customer',
  `UPDATE checkout SET looked_up_at = now()
   WHERE id = $1 AND state = 'open' AND reference IS NOT NULL
     AND (looked_up_at IS NULL OR looked_up_at < now() - interval '2 seconds')
   RETURNING id`,
);

const POSTPONE = statement(
  'checkout_postpone',
  `UPDATE checkout SET next_check_at = now() + $2 * interval '1 second' WHERE id = $1 AND ended_at IS NULL`,
);

const END = statement(
  'checkout_end',
  `UPDATE checkout SET state = $2, ended_at = now() WHERE id = $1 AND state = 'open'`,
);

/**
 * The update of the checkout's row decides which call credits it, whatever has reported the payment. A page that is paid although
 * its checkout counted as expired or refused is credited too: the money has arrived. The wallet's row is locked last.
 */
const CREDIT = statement(
  'checkout_credit',
  `WITH paid AS (
     UPDATE checkout SET state = 'paid', charge = $2, invoice_url = $3, ended_at = now() WHERE id = $1 AND state <> 'paid'
     RETURNING account_id, amount_micros, 'card payment' AS reason, 'checkout ' || id AS reference, NULL::uuid AS payment_id
   ), ${payIn('paid')}`,
);

/** The lock of an account does not serialize checkouts of several accounts at one address. */
const LOCK_ADDRESS = statement(
  'checkout_lock_address',
  `SELECT pg_advisory_xact_lock(hashtextextended('checkouts of ' || $1::text, 0))`,
);

const COUNT_RECENT = statement(
  'checkout_count_recent',
  `SELECT (SELECT count(*) FROM checkout WHERE account_id = $1 AND state <> 'paid' AND (reference IS NOT NULL OR state = 'open')
              AND created_at > now() - interval '1 hour')
            AS of_account,
          (SELECT count(*) FROM checkout WHERE address = $2 AND state <> 'paid' AND (reference IS NOT NULL OR state = 'open')
              AND created_at > now() - interval '1 hour')
            AS of_address`,
);

type NewCheckout = Pick<CheckoutRow, 'id' | 'account_id' | 'provider' | 'amount_micros' | 'saves_card'>;

/** Checkouts. Each change is one statement, guarded by the expected state. */
@Injectable()
export class CheckoutRepository {
  constructor(private readonly database: Database) {}

  async begin(on: Queryable, checkout: NewCheckout & { address: string }): Promise<CheckoutRow> {
    const { id, account_id, provider, amount_micros, saves_card, address } = checkout;
    const row = await on.findOne<CheckoutRow>(BEGIN, [id, account_id, provider, amount_micros, saves_card, address]);
    if (!row) throw new Error('The checkout was not stored.');
    return row;
  }

  /** Null if the checkout has ended meanwhile: its page must not be shown then. */
  opened(id: string, { reference, url }: { reference: string; url: string }): Promise<CheckoutRow | null> {
    return this.database.findOne<CheckoutRow>(OPENED, [id, reference, url]);
  }

  find(accountId: string, id: string): Promise<CheckoutRow | null> {
    return this.database.findOne<CheckoutRow>(FIND, [id, accountId]);
  }

  findByReference(provider: string, reference: string): Promise<CheckoutRow | null> {
    return this.database.findOne<CheckoutRow>(FIND_BY_REFERENCE, [provider, reference]);
  }

  /** Claims open checkouts whose look-up is due, for a lease of one minute. */
  claim(): Promise<CheckoutRow[]> {
    return this.database.query<CheckoutRow>(CLAIM);
  }

  /** Whether the customer's page may have the provider asked now. */
  async claimForCustomer(id: string): Promise<boolean> {
    return (await this.database.query(CLAIM_FOR_CUSTOMER, [id])).length === 1;
  }

  async postpone(id: string, seconds: number): Promise<void> {
    await this.database.execute(POSTPONE, [id, seconds]);
  }

  /** @returns whether this call has ended it. */
  async end(id: string, state: 'expired' | 'refused'): Promise<boolean> {
    return (await this.database.execute(END, [id, state])) === 1;
  }

  /** @returns whether this call has credited it. */
  async credit(on: Queryable, id: string, { charge, invoice_url }: PaidCheckout): Promise<boolean> {
    return (await on.findOne(CREDIT, [id, charge, invoice_url])) !== null;
  }

  /** Until the end of the transaction, no other one counts or begins checkouts of the address. */
  async lockAddress(transaction: Queryable, address: string): Promise<void> {
    await transaction.query(LOCK_ADDRESS, [address]);
  }

  /** Checkouts of the last hour that are not paid. */
  async countRecent(
    on: Queryable,
    accountId: string,
    address: string,
  ): Promise<{ of_account: number; of_address: number }> {
    const counted = await on.findOne<{ of_account: number; of_address: number }>(COUNT_RECENT, [accountId, address]);
    if (!counted) throw new Error('The count returned no row.');
    return counted;
  }
}

export function toCheckout(row: CheckoutRow): Checkout {
  const { id, provider, amount_micros, state, url, saves_card, invoice_url, created_at, ended_at } = row;
  return {
    ...{ payment_id: id, provider, amount_micros, state, saves_card, invoice_url },
    url: state === 'open' ? url : null,
    created_at: created_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  };
}
