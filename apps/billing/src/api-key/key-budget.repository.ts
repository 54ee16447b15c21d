import { Injectable } from '@nestjs/common';
import type { CapPeriod } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Micros } from '@kinora/contracts/shared/money';
import { type Queryable, statement } from '@kinora/database';
import { giveBack, shareOf } from './key-rights';

interface NewKeyBudget {
  api_key_id: string;
  cap_micros: Micros;
  period: CapPeriod;
}

interface KeyBudgetRow extends NewKeyBudget {
  /** Of the current period. */
  spent_micros: Micros;
  /** First day of the current period. */
  period_start: string;
  given_by: string | null;
}

const INSERT = statement(
  'key_budget_insert',
  `INSERT INTO key_budget (api_key_id, cap_micros, period, period_start, given_by)
   VALUES ($1, $2, $3, date_trunc($3, now() AT TIME ZONE 'UTC'), $4)`,
);

/** Open holds are locked before budgets, as by a refund. */
const LOCK_OPEN_HOLDS = statement(
  'key_budget_lock_open_holds',
  `SELECT FROM hold WHERE budget_key_id = $1 AND state = 'held' ORDER BY job_id FOR UPDATE`,
);

/** Locks in the order of the keys, like a reserve. */
const LOCK = statement(
  'key_budget_lock',
  `SELECT api_key_id, cap_micros, period, given_by,
          greatest(period_start, date_trunc(period, now() AT TIME ZONE 'UTC')::date)::text AS period_start,
          CASE WHEN period_start < date_trunc(period, now() AT TIME ZONE 'UTC') THEN 0 ELSE spent_micros END AS spent_micros
   FROM key_budget
   WHERE api_key_id IN ($1, (SELECT given_by FROM key_budget WHERE api_key_id = $1))
   ORDER BY api_key_id FOR UPDATE`,
);

const SET = statement(
  'key_budget_set',
  `UPDATE key_budget SET cap_micros = $2, spent_micros = $3, period_start = $4 WHERE api_key_id = $1`,
);

/** Moves the open holds of a period to the budget of another key, so that their refunds reach it. */
const MOVE_OPEN_HOLDS = statement(
  'key_budget_move_open_holds',
  `WITH moved AS (
     UPDATE hold SET budget_key_id = $3, budget_period_start = $4
     WHERE budget_key_id = $1 AND budget_period_start = $2 AND state = 'held'
     RETURNING amount_micros
   )
   SELECT coalesce(sum(amount_micros), 0)::bigint AS micros FROM moved`,
);

/** Counts what revoked keys have spent, and what their gifts leave unusable, until the period of their giver ends. */
const ADD_ENDED_GIFT = statement(
  'key_budget_add_ended_gift',
  `UPDATE key_budget
   SET ended_gifts_period = period_start,
       ended_gifts_micros = $2 + CASE WHEN ended_gifts_period = period_start THEN ended_gifts_micros ELSE 0 END
   WHERE api_key_id = $1`,
);

const PASS_ON = statement('key_budget_pass_on', 'UPDATE key_budget SET given_by = $2 WHERE given_by = $1');

/** The spending caps of keys. A reserve counts against them (`ReservationRepository`). */
@Injectable()
export class KeyBudgetRepository {
  async insert(on: Queryable, budget: NewKeyBudget, givenBy: string | null = null): Promise<void> {
    await on.execute(INSERT, [budget.api_key_id, budget.cap_micros, budget.period, givenBy]);
  }

  /** Locks the budget of a key, and that of the key that gave it. Null for a key without a budget. */
  async lock(
    transaction: Queryable,
    apiKeyId: string,
  ): Promise<{ own: KeyBudgetRow; giver: KeyBudgetRow | null } | null> {
    const rows = await transaction.query<KeyBudgetRow>(LOCK, [apiKeyId]);
    const own = rows.find(({ api_key_id }) => api_key_id === apiKeyId);
    return own ? { own, giver: rows.find(({ api_key_id }) => api_key_id === own.given_by) ?? null } : null;
  }

  /** Makes a budget out of the giver's, which is locked and covers it. */
  async give(transaction: Queryable, giver: KeyBudgetRow, budget: NewKeyBudget): Promise<void> {
    const cap_micros = giver.cap_micros - shareOf(budget, giver.period);
    await this.insert(transaction, budget, giver.api_key_id);
    await this.set(transaction, { ...giver, cap_micros });
  }

  /**
   * Returns what a revoked key has left to the key that gave it. What the revoked key gave counts as the giver's gift. Its
   * open holds become the giver's, at most as many as the account has slots: a refund gives their amounts back to the giver.
   */
  async takeBack(transaction: Queryable, apiKeyId: string): Promise<void> {
    await transaction.query(LOCK_OPEN_HOLDS, [apiKeyId]);
    const locked = await this.lock(transaction, apiKeyId);
    if (!locked?.giver) return;
    const { own, giver } = locked;
    const moved = await transaction.findOne<{ micros: Micros }>(MOVE_OPEN_HOLDS, [
      apiKeyId,
      own.period_start,
      giver.api_key_id,
      giver.period_start,
    ]);
    const after = giveBack(own, giver, moved?.micros ?? 0);
    await this.set(transaction, after.own);
    await this.set(transaction, after.giver);
    await transaction.execute(ADD_ENDED_GIFT, [giver.api_key_id, after.endedMicros]);
    await transaction.execute(PASS_ON, [apiKeyId, giver.api_key_id]);
  }

  private async set(
    transaction: Queryable,
    { api_key_id, cap_micros, spent_micros, period_start }: KeyBudgetRow,
  ): Promise<void> {
    await transaction.execute(SET, [api_key_id, cap_micros, spent_micros, period_start]);
  }
}
