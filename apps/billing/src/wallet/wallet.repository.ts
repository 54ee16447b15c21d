import { Injectable } from '@nestjs/common';
import type { AccountStatus } from '@kinora/contracts/billing/account';
import type { Reservation, ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Micros } from '@kinora/contracts/shared/money';
import { Database, type Queryable, statement, violatedConstraint } from '@kinora/database';

/** How a job and its account stand with each other. */
export interface Standing {
  status: AccountStatus;
  retention_days: number;
  available_micros: Micros;
  /** Whether there is a hold under the job's id, in whatever state and whosoever. */
  is_job_known: boolean;
  /** Null where the job has no hold of this account that is still open. */
  held_for_job_micros: Micros | null;
  /** What the key that asks may still spend; null where it has no cap. */
  key_budget_left_micros: Micros | null;
}

const OPEN = statement('wallet_open', 'INSERT INTO wallet (account_id, max_concurrent_jobs) VALUES ($1, $2)');

/** Where the money comes from that is no job's: it was paid, or it was granted. */
const SOURCE_BY_KIND = { top_up: 'top_ups', credit: 'credits', adjustment: 'credits' } as const;
export type BalanceChangeKind = keyof typeof SOURCE_BY_KIND;

const CHANGE_BALANCE = statement(
  'wallet_change_balance',
  `WITH changed AS (
     UPDATE wallet SET available_micros = available_micros + $2 WHERE account_id = $1
     RETURNING account_id
   )
   INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, reason)
   SELECT account_id, $3, CASE WHEN $2 < 0 THEN 'available' ELSE $4 END, CASE WHEN $2 < 0 THEN $4 ELSE 'available' END,
          abs($2::bigint), $5
   FROM changed`,
);

/** What a capped key has spent in the period that now belongs to, which may not have begun for its row. */
const CURRENT_BUDGET = `
  SELECT api_key_id, cap_micros, greatest(period_start, date_trunc(period, now() AT TIME ZONE 'UTC')::date) AS period_start,
         CASE WHEN period_start >= date_trunc(period, now() AT TIME ZONE 'UTC')::date THEN spent_micros ELSE 0 END
           AS spent_micros
  FROM key_budget`;

/**
 * The wallet's row is locked by the update, which then judges it as it is at that moment. A repeated reserve that does
 * not see the hold yet runs into the hold's primary key, and all of it is undone. That it looks for the hold at all
 * keeps it from waiting for an end that has locked the hold and itself waits for the wallet.
 * A capped key's budget is locked before the wallet, here as at the end, and read as it is then.
 */
const RESERVE = statement(
  'wallet_reserve',
  `WITH budget AS (
     ${CURRENT_BUDGET} WHERE api_key_id = $4 FOR UPDATE
   ), reserved AS (
     UPDATE wallet
     SET available_micros = available_micros - $3, held_micros = held_micros + $3, in_flight_jobs = in_flight_jobs + 1
     FROM account LEFT JOIN budget ON true
     WHERE wallet.account_id = $1 AND account.id = $1 AND account.status = 'active'
       AND (budget.api_key_id IS NULL OR budget.spent_micros + $3 <= budget.cap_micros)
       AND wallet.available_micros >= $3 AND wallet.in_flight_jobs < wallet.max_concurrent_jobs
       AND NOT EXISTS (SELECT FROM hold WHERE job_id = $2)
     RETURNING wallet.account_id, account.retention_days, budget.api_key_id, budget.period_start, budget.spent_micros
   ), counted AS (
     UPDATE key_budget SET period_start = reserved.period_start, spent_micros = reserved.spent_micros + $3
     FROM reserved WHERE key_budget.api_key_id = reserved.api_key_id
   ), placed AS (
     INSERT INTO hold (job_id, account_id, amount_micros, budget_key_id, budget_period_start)
     SELECT $2, account_id, $3, api_key_id, period_start FROM reserved
     RETURNING job_id, account_id, amount_micros
   ), entered AS (
     INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, job_id)
     SELECT account_id, 'reserve', 'available', 'held', amount_micros, job_id FROM placed
   )
   SELECT $3::bigint AS amount_micros, retention_days FROM reserved`,
);

const FIND_STANDING = statement(
  'wallet_find_standing',
  `SELECT account.status, account.retention_days, wallet.available_micros,
          hold.job_id IS NOT NULL AS is_job_known,
          CASE WHEN hold.state = 'held' AND hold.account_id = account.id THEN hold.amount_micros END
            AS held_for_job_micros,
          budget.cap_micros - budget.spent_micros AS key_budget_left_micros
   FROM account JOIN wallet ON wallet.account_id = account.id LEFT JOIN hold ON hold.job_id = $2
        LEFT JOIN (${CURRENT_BUDGET}) AS budget ON budget.api_key_id = $3
   WHERE account.id = $1`,
);

/** The hold's row decides who ends it; the entry is drawn last, under the lock of the wallet. */
const CAPTURE = statement(
  'wallet_capture',
  `WITH captured AS (
     UPDATE hold SET state = 'captured', ended_at = now() WHERE job_id = $1 AND state = 'held'
     RETURNING job_id, account_id, amount_micros
   ), charged AS (
     UPDATE wallet
     SET held_micros = held_micros - captured.amount_micros, spent_micros = spent_micros + captured.amount_micros,
         in_flight_jobs = in_flight_jobs - 1
     FROM captured WHERE wallet.account_id = captured.account_id
     RETURNING captured.*
   )
   INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, job_id)
   SELECT account_id, 'capture', 'held', 'revenue', amount_micros, job_id FROM charged`,
);

const REFUND = statement(
  'wallet_refund',
  `WITH refunded AS (
     UPDATE hold SET state = 'refunded', ended_at = now() WHERE job_id = $1 AND state = 'held'
     RETURNING job_id, account_id, amount_micros, budget_key_id, budget_period_start
   ), uncounted AS (
     UPDATE key_budget SET spent_micros = spent_micros - refunded.amount_micros FROM refunded
     WHERE (key_budget.api_key_id, key_budget.period_start) = (refunded.budget_key_id, refunded.budget_period_start)
     RETURNING api_key_id
   ), given_back AS (
     UPDATE wallet
     SET held_micros = held_micros - refunded.amount_micros, available_micros = available_micros + refunded.amount_micros,
         in_flight_jobs = in_flight_jobs - 1
     -- Reads the budget's update, so that it comes first: reserve locks the two in this order.
     FROM refunded LEFT JOIN uncounted ON true
     WHERE wallet.account_id = refunded.account_id
     RETURNING refunded.*
   )
   INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, job_id)
   SELECT account_id, 'refund', 'held', 'available', amount_micros, job_id FROM given_back`,
);

/** What the wallet's own checks refuse. */
const PROBLEM_BY_CONSTRAINT: Readonly<Record<string, string>> = {
  wallet_is_countable: 'No wallet can hold that much.',
  wallet_available_micros_check: 'The balance is less than that.',
};

/** Moves money. Each move is one statement that changes the wallet, the hold and the ledger together, or nothing. */
@Injectable()
export class WalletRepository {
  constructor(private readonly database: Database) {}

  async open(transaction: Queryable, accountId: string, maxConcurrentJobs: number): Promise<void> {
    await transaction.execute(OPEN, [accountId, maxConcurrentJobs]);
  }

  /** @throws ApiError invalid_body */
  async changeBalance(
    on: Queryable,
    change: { kind: BalanceChangeKind; account_id: string; amount_micros: Micros; reason: string | null },
  ): Promise<void> {
    const { kind, account_id, amount_micros, reason } = change;
    try {
      await on.execute(CHANGE_BALANCE, [account_id, amount_micros, kind, SOURCE_BY_KIND[kind], reason]);
    } catch (error) {
      const problem = PROBLEM_BY_CONSTRAINT[violatedConstraint(error) ?? ''];
      throw problem === undefined ? error : new ApiError('invalid_body', problem, { param: 'amount_micros' });
    }
  }

  /** Null where nothing was reserved; `getStanding` then tells why. */
  async reserve({ account_id, job_id, amount_micros, api_key_id }: ReserveRequest): Promise<Reservation | null> {
    try {
      return await this.database.findOne<Reservation>(RESERVE, [account_id, job_id, amount_micros, api_key_id ?? null]);
    } catch (error) {
      if (violatedConstraint(error) === 'hold_pkey') return null;
      throw error;
    }
  }

  async getStanding({ account_id, job_id, api_key_id }: ReserveRequest): Promise<Standing> {
    const standing = await this.database.findOne<Standing>(FIND_STANDING, [account_id, job_id, api_key_id ?? null]);
    if (!standing) throw new Error(`there is no account ${account_id}`);
    return standing;
  }

  /** Whether this call has ended the hold. */
  async capture(jobId: string): Promise<boolean> {
    return (await this.database.execute(CAPTURE, [jobId])) === 1;
  }

  /** Whether this call has ended the hold. */
  async refund(jobId: string): Promise<boolean> {
    return (await this.database.execute(REFUND, [jobId])) === 1;
  }
}
