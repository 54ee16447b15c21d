import { Injectable } from '@nestjs/common';
import type { AccountStatus } from '@kinora/contracts/billing/account';
import type { KnownHold, ReserveRequest } from '@kinora/contracts/billing/billing.rpc';
import type { Micros } from '@kinora/contracts/shared/money';
import { Database, BatchedStatement, type Statement, statement, violatedConstraint } from '@kinora/database';
import { crashPoint } from '@kinora/service-kit';
import type { EndedHoldState } from './hold.repository';

/** The state of a locked account right after a reserve. */
export interface WalletSnapshot {
  is_reserved: boolean;
  status: AccountStatus;
  retention_days: number;
  available_micros: Micros;
  free_slots: number;
  max_concurrent_jobs: number;
  /** What the key may still spend; null if it has no cap. */
  key_budget_left_micros: Micros | null;
}

/** A hold that existed before the reserve. A barred one has no account and is never visible to other contexts. */
type ExistingHold = Omit<KnownHold, 'account_id' | 'state'> & {
  account_id: string | null;
  state: 'held' | EndedHoldState;
};

export interface ReserveOutcome {
  snapshot: WalletSnapshot;
  /** The existing hold of the job, if this reserve has placed none. */
  known: ExistingHold | null;
}

/** The spending of a capped key in the current period, which its row may not have reached yet. */
export const CURRENT_BUDGET = `
  SELECT api_key_id, cap_micros, greatest(period_start, date_trunc(period, now() AT TIME ZONE 'UTC')::date) AS period_start,
         CASE WHEN period_start >= date_trunc(period, now() AT TIME ZONE 'UTC')::date THEN spent_micros ELSE 0 END
           AS spent_micros
  FROM key_budget`;

/**
 * Reserves for as many jobs as possible, and returns for every job the snapshot that decided it. Budgets are locked
 * before wallets, as when holds end, and each in the order of their keys, so that batches cannot deadlock. Locked rows
 * are read in their current version. Wallets are written from the locked values, because PostgreSQL checks a new row
 * before it looks for a later version of the old one: computed from the statement's snapshot, it could violate a check
 * although money has arrived meanwhile. A repeated reserve that does not see the hold yet violates the hold's primary key
 * and is rolled back.
 * Requests that fit together get their holds, per account and per key in order of arrival. A request that does not fit even
 * alone is not counted against later ones. A request that fails only because of earlier requests that were counted but not
 * reserved is retried.
 */
const RESERVE = statement(
  'hold_reserve',
  `WITH budget AS MATERIALIZED (
     ${CURRENT_BUDGET} WHERE api_key_id = ANY($4) ORDER BY api_key_id FOR UPDATE
   ), locked_wallet AS MATERIALIZED (
     SELECT account_id, status, retention_days, available_micros, held_micros, in_flight_jobs,
            max_concurrent_jobs, max_concurrent_jobs - in_flight_jobs AS free_slots
     FROM wallet JOIN account ON account.id = account_id
     WHERE account_id = ANY($1) AND (SELECT count(*) FROM budget) >= 0
     ORDER BY account_id FOR UPDATE OF wallet
   ), known AS MATERIALIZED (
     SELECT job_id, true AS is_known FROM hold WHERE job_id = ANY($2)
   ), evaluated AS (
     SELECT place, job_id, amount_micros, api_key_id, locked_wallet.*,
            period_start, spent_micros, cap_micros - spent_micros AS budget_left_micros,
            status = 'active' AND is_known IS NULL AND amount_micros <= available_micros
              AND amount_micros <= coalesce(cap_micros - spent_micros, amount_micros) AS may_reserve
     FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[]) WITH ORDINALITY
            AS request (account_id, job_id, amount_micros, api_key_id, place)
          JOIN locked_wallet USING (account_id) LEFT JOIN budget USING (api_key_id) LEFT JOIN known USING (job_id)
   ), decided AS MATERIALIZED (
     SELECT evaluated.*,
            may_reserve
              AND sum(amount_micros) FILTER (WHERE may_reserve) OVER of_account <= available_micros
              AND count(*) FILTER (WHERE may_reserve) OVER of_account <= free_slots
              AND (budget_left_micros IS NULL
                   OR sum(amount_micros) FILTER (WHERE may_reserve) OVER (PARTITION BY api_key_id ORDER BY place)
                      <= budget_left_micros) AS is_reserved
     FROM evaluated WINDOW of_account AS (PARTITION BY account_id ORDER BY place)
   ), account_total AS (
     SELECT account_id, available_micros, held_micros, in_flight_jobs, sum(amount_micros)::bigint AS micros, count(*) AS jobs
     FROM decided WHERE is_reserved GROUP BY account_id, available_micros, held_micros, in_flight_jobs
   ), key_total AS (
     SELECT api_key_id, period_start, spent_micros, sum(amount_micros)::bigint AS micros
     FROM decided WHERE is_reserved AND period_start IS NOT NULL GROUP BY api_key_id, period_start, spent_micros
   ), counted AS (
     UPDATE key_budget SET period_start = total.period_start, spent_micros = total.spent_micros + micros
     FROM key_total AS total WHERE key_budget.api_key_id = total.api_key_id
   ), taken AS (
     UPDATE wallet
     SET available_micros = total.available_micros - micros, held_micros = total.held_micros + micros,
         in_flight_jobs = total.in_flight_jobs + jobs
     FROM account_total AS total WHERE wallet.account_id = total.account_id
   ), placed AS (
     INSERT INTO hold (job_id, account_id, amount_micros, budget_key_id, budget_period_start, api_key_id)
     SELECT job_id, account_id, amount_micros, CASE WHEN period_start IS NOT NULL THEN api_key_id END, period_start, api_key_id
     FROM decided WHERE is_reserved
     RETURNING job_id, account_id, amount_micros
   ), entered AS (
     INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, job_id)
     SELECT account_id, 'reserve', 'available', 'held', amount_micros, job_id FROM placed
   )
   SELECT place, is_reserved, status, retention_days,
          decided.available_micros - coalesce(account_total.micros, 0) AS available_micros,
          free_slots - coalesce(jobs, 0) AS free_slots, max_concurrent_jobs,
          budget_left_micros - coalesce(key_total.micros, 0) AS key_budget_left_micros
   FROM decided LEFT JOIN account_total USING (account_id) LEFT JOIN key_total USING (api_key_id)`,
);

/** Runs after a reserve: a reserve that waited for a lock does not see the hold that the lock's holder placed. */
const FIND_HOLDS = statement(
  'hold_find_known',
  'SELECT job_id, account_id, amount_micros, state FROM hold WHERE job_id = ANY($1::uuid[])',
);

/**
 * The update of the hold's row decides which call ends it. The ledger entry is inserted last, under the wallet's lock.
 * Rows are locked in the order of their keys: holds, then wallets, then the sums of keys, so that the lock of a wallet
 * covers the sums of its account.
 */
const CAPTURE = statement(
  'hold_capture',
  `WITH open AS MATERIALIZED (
     SELECT job_id FROM hold WHERE job_id = ANY($1::uuid[]) AND state = 'held' ORDER BY job_id FOR UPDATE
   ), captured AS (
     UPDATE hold SET state = 'captured', ended_at = now() FROM open WHERE hold.job_id = open.job_id AND hold.state = 'held'
     RETURNING hold.job_id, hold.account_id, hold.amount_micros, hold.api_key_id, hold.created_at
   ), total AS (
     SELECT account_id, sum(amount_micros)::bigint AS micros, count(*) AS jobs FROM captured GROUP BY account_id
   ), locked_wallet AS MATERIALIZED (
     SELECT account_id FROM wallet WHERE account_id IN (SELECT account_id FROM total) ORDER BY account_id FOR UPDATE
   ), charged AS (
     UPDATE wallet
     SET held_micros = held_micros - total.micros, spent_micros = spent_micros + total.micros,
         in_flight_jobs = in_flight_jobs - total.jobs
     FROM locked_wallet JOIN total USING (account_id) WHERE wallet.account_id = locked_wallet.account_id
     RETURNING wallet.account_id
   ), counted AS (
     INSERT INTO key_spend_day AS known (account_id, day, api_key_id, jobs, charged_micros)
     SELECT account_id, (created_at AT TIME ZONE 'UTC')::date AS day, api_key_id, count(*), sum(amount_micros)
     FROM captured JOIN charged USING (account_id) WHERE api_key_id IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (account_id, day, api_key_id) DO UPDATE
       SET jobs = known.jobs + excluded.jobs, charged_micros = known.charged_micros + excluded.charged_micros
   )
   INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, job_id)
   SELECT account_id, 'capture', 'held', 'revenue', amount_micros, job_id FROM captured JOIN charged USING (account_id)
   RETURNING job_id`,
);

/** Like a capture, but first subtracts the amount from the budget: a reserve locks budgets before wallets too. */
const REFUND = statement(
  'hold_refund',
  `WITH open AS MATERIALIZED (
     SELECT job_id FROM hold WHERE job_id = ANY($1::uuid[]) AND state = 'held' ORDER BY job_id FOR UPDATE
   ), refunded AS (
     UPDATE hold SET state = 'refunded', ended_at = now() FROM open WHERE hold.job_id = open.job_id AND hold.state = 'held'
     RETURNING hold.job_id, hold.account_id, hold.amount_micros, hold.budget_key_id, hold.budget_period_start
   ), key_total AS (
     SELECT budget_key_id, budget_period_start, sum(amount_micros)::bigint AS micros
     FROM refunded WHERE budget_key_id IS NOT NULL GROUP BY budget_key_id, budget_period_start
   ), budget AS MATERIALIZED (
     SELECT api_key_id FROM key_budget WHERE api_key_id IN (SELECT budget_key_id FROM key_total)
     ORDER BY api_key_id FOR UPDATE
   ), uncounted AS (
     UPDATE key_budget SET spent_micros = spent_micros - key_total.micros
     FROM budget JOIN key_total ON key_total.budget_key_id = budget.api_key_id
     WHERE (key_budget.api_key_id, key_budget.period_start) = (key_total.budget_key_id, key_total.budget_period_start)
     RETURNING key_budget.api_key_id
   ), total AS (
     SELECT account_id, sum(amount_micros)::bigint AS micros, count(*) AS jobs FROM refunded GROUP BY account_id
   ), locked_wallet AS MATERIALIZED (
     SELECT account_id FROM wallet
     WHERE account_id IN (SELECT account_id FROM total) AND (SELECT count(*) FROM uncounted) >= 0
     ORDER BY account_id FOR UPDATE
   ), given_back AS (
     UPDATE wallet
     SET held_micros = held_micros - total.micros, available_micros = available_micros + total.micros,
         in_flight_jobs = in_flight_jobs - total.jobs
     FROM locked_wallet JOIN total USING (account_id) WHERE wallet.account_id = locked_wallet.account_id
     RETURNING wallet.account_id
   )
   INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, job_id)
   SELECT account_id, 'refund', 'held', 'available', amount_micros, job_id FROM refunded JOIN given_back USING (account_id)
   RETURNING job_id`,
);

/**
 * Holds money for jobs and ends the holds. Concurrent requests are batched into one statement, which changes wallets,
 * holds and ledger together, or nothing.
 */
@Injectable()
export class ReservationRepository {
  private readonly reserves: BatchedStatement<ReserveRequest, ReserveOutcome>;
  private readonly captures: BatchedStatement<string, boolean>;
  private readonly refunds: BatchedStatement<string, boolean>;

  constructor(private readonly database: Database) {
    this.reserves = new BatchedStatement({
      run: (requests) => this.reserveBatch(requests),
      fairBy: ({ account_id }) => account_id,
    });
    this.captures = new BatchedStatement({ run: (jobIds) => this.captureBatch(jobIds) });
    this.refunds = new BatchedStatement({ run: (jobIds) => this.refundBatch(jobIds) });
  }

  reserve(request: ReserveRequest): Promise<ReserveOutcome> {
    return this.reserves.run(request).catch((error: unknown) => {
      // A concurrent request has reserved for the same job, and its hold is visible now.
      if (violatedConstraint(error) === 'hold_pkey') return this.reserves.run(request);
      throw error;
    });
  }

  /** @returns whether this call has ended the hold. */
  capture(jobId: string): Promise<boolean> {
    return this.captures.run(jobId);
  }

  /** @returns whether this call has ended the hold. */
  refund(jobId: string): Promise<boolean> {
    return this.refunds.run(jobId);
  }

  private async reserveBatch(requests: ReserveRequest[]): Promise<ReserveOutcome[]> {
    crashPoint('billing.reserve.before_commit');
    const rows = await this.database.query<WalletSnapshot & { place: number }>(RESERVE, [
      requests.map(({ account_id }) => account_id),
      requests.map(({ job_id }) => job_id),
      requests.map(({ amount_micros }) => amount_micros),
      requests.map(({ api_key_id }) => api_key_id ?? null),
    ]);
    crashPoint('billing.reserve.committed');
    const snapshots = new Map(rows.map(({ place, ...snapshot }) => [place, snapshot]));
    const known = await this.findHolds(requests.filter((_, index) => !snapshots.get(index + 1)?.is_reserved));
    return requests.map(({ account_id, job_id }, index) => {
      const snapshot = snapshots.get(index + 1);
      if (!snapshot) throw new Error(`cannot reserve: no account has the id ${account_id}`);
      return { snapshot, known: known.get(job_id) ?? null };
    });
  }

  private async findHolds(requests: ReserveRequest[]): Promise<Map<string, ExistingHold>> {
    if (requests.length === 0) return new Map();
    const holds = await this.database.query<ExistingHold>(FIND_HOLDS, [requests.map(({ job_id }) => job_id)]);
    return new Map(holds.map((hold) => [hold.job_id, hold]));
  }

  private async captureBatch(jobIds: string[]): Promise<boolean[]> {
    crashPoint('billing.capture.before_commit');
    const ended = await this.endBatch(CAPTURE, jobIds);
    crashPoint('billing.capture.committed');
    return ended;
  }

  private async refundBatch(jobIds: string[]): Promise<boolean[]> {
    crashPoint('billing.refund.before_commit');
    const ended = await this.endBatch(REFUND, jobIds);
    crashPoint('billing.refund.committed');
    return ended;
  }

  private async endBatch(end: Statement, jobIds: string[]): Promise<boolean[]> {
    const rows = await this.database.query<{ job_id: string }>(end, [jobIds]);
    const ended = new Set(rows.map(({ job_id }) => job_id));
    // If one batch contains two calls for one job, only the first one ends the hold.
    return jobIds.map((jobId) => ended.delete(jobId));
  }
}
