import { Injectable } from '@nestjs/common';
import type { AccountStatus } from '@kinora/contracts/billing/account';
import type { Reservation, ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
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
}

const OPEN = statement('wallet_open', 'INSERT INTO wallet (account_id, max_concurrent_jobs) VALUES ($1, $2)');

const TOP_UP = statement(
  'wallet_top_up',
  `WITH topped_up AS (
     UPDATE wallet SET available_micros = available_micros + $2 WHERE account_id = $1
     RETURNING account_id
   )
   INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, reason)
   SELECT account_id, 'top_up', 'top_ups', 'available', $2, $3 FROM topped_up`,
);

/**
 * The wallet's row is locked by the update, which then judges it as it is at that moment. A repeated reserve that does
 * not see the hold yet runs into the hold's primary key, and all of it is undone. That it looks for the hold at all
 * keeps it from waiting for an end that has locked the hold and itself waits for the wallet.
 */
const RESERVE = statement(
  'wallet_reserve',
  `WITH reserved AS (
     UPDATE wallet
     SET available_micros = available_micros - $3, held_micros = held_micros + $3, in_flight_jobs = in_flight_jobs + 1
     FROM account
     WHERE wallet.account_id = $1 AND account.id = $1 AND account.status = 'active'
       AND wallet.available_micros >= $3 AND wallet.in_flight_jobs < wallet.max_concurrent_jobs
       AND NOT EXISTS (SELECT FROM hold WHERE job_id = $2)
     RETURNING wallet.account_id, account.retention_days
   ), placed AS (
     INSERT INTO hold (job_id, account_id, amount_micros) SELECT $2, account_id, $3 FROM reserved
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
            AS held_for_job_micros
   FROM account JOIN wallet ON wallet.account_id = account.id LEFT JOIN hold ON hold.job_id = $2
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
     RETURNING job_id, account_id, amount_micros
   ), given_back AS (
     UPDATE wallet
     SET held_micros = held_micros - refunded.amount_micros, available_micros = available_micros + refunded.amount_micros,
         in_flight_jobs = in_flight_jobs - 1
     FROM refunded WHERE wallet.account_id = refunded.account_id
     RETURNING refunded.*
   )
   INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, job_id)
   SELECT account_id, 'refund', 'held', 'available', amount_micros, job_id FROM given_back`,
);

/** Moves money. Each move is one statement that changes the wallet, the hold and the ledger together, or nothing. */
@Injectable()
export class WalletRepository {
  constructor(private readonly database: Database) {}

  async open(transaction: Queryable, accountId: string, maxConcurrentJobs: number): Promise<void> {
    await transaction.execute(OPEN, [accountId, maxConcurrentJobs]);
  }

  /** False where the wallet would hold more than can be counted. */
  async topUp(on: Queryable, accountId: string, amountMicros: Micros, reason: string | null): Promise<boolean> {
    try {
      return (await on.execute(TOP_UP, [accountId, amountMicros, reason])) === 1;
    } catch (error) {
      if (violatedConstraint(error) === 'wallet_is_countable') return false;
      throw error;
    }
  }

  /** Null where nothing was reserved; `getStanding` then tells why. */
  async reserve({ account_id, job_id, amount_micros }: ReserveRequest): Promise<Reservation | null> {
    try {
      return await this.database.findOne<Reservation>(RESERVE, [account_id, job_id, amount_micros]);
    } catch (error) {
      if (violatedConstraint(error) === 'hold_pkey') return null;
      throw error;
    }
  }

  async getStanding(accountId: string, jobId: string): Promise<Standing> {
    const standing = await this.database.findOne<Standing>(FIND_STANDING, [accountId, jobId]);
    if (!standing) throw new Error(`there is no account ${accountId}`);
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
