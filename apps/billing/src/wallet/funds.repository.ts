import { Injectable } from '@nestjs/common';
import type { Micros } from '@kinora/contracts/shared/money';
import { Database, statement } from '@kinora/database';
import { CURRENT_BUDGET } from './reservation.repository';

/** The maximum that an account and its key can spend without a further top-up, and the job slots that are free now. */
export interface Funds {
  available_micros: Micros;
  /** Includes held money: a refund may release it, and after a crash it may be the hold of this very job. */
  reachable_micros: Micros;
  is_recharged: boolean;
  /** What the key may spend now, and with what is held for it; null for a key without a cap. */
  key_budget_left_micros: Micros | null;
  key_reachable_micros: Micros | null;
  /** Zero or less while every slot is taken; negative after an operator has lowered the limit. */
  free_slots: number;
  max_concurrent_jobs: number;
}

const FIND = statement(
  'funds_find',
  `SELECT available_micros, cap_micros - budget.spent_micros AS key_budget_left_micros,
          available_micros + held_micros AS reachable_micros, coalesce(auto_recharge.enabled, false) AS is_recharged,
          cap_micros - budget.spent_micros + (
            SELECT coalesce(sum(amount_micros), 0) FROM hold
            WHERE hold.account_id = wallet.account_id AND state = 'held'
              AND (budget_key_id, budget_period_start) = (budget.api_key_id, budget.period_start)
          )::bigint AS key_reachable_micros,
          max_concurrent_jobs - in_flight_jobs AS free_slots, max_concurrent_jobs
   FROM wallet LEFT JOIN auto_recharge USING (account_id) LEFT JOIN (${CURRENT_BUDGET}) AS budget ON api_key_id = $2
   WHERE account_id = $1`,
);

@Injectable()
export class FundsRepository {
  constructor(private readonly database: Database) {}

  /** Reads without a lock. Null for an unknown account. */
  find(accountId: string, apiKeyId: string | null): Promise<Funds | null> {
    return this.database.findOne<Funds>(FIND, [accountId, apiKeyId]);
  }
}
