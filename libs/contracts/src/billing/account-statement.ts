import type { Micros } from '../shared/money';
import type { Page } from '../shared/page';
import type { Timestamp, Uuid } from '../shared/scalars';
import type { StatementLine } from './statement';

/** One move of the account's money. */
export interface StatementEntry {
  object: 'statement_entry';
  id: string;
  /**
   * `reserve` holds the price of a job, and its end is either `capture`, which charges it, or `refund`. `top_up`, `credit` and
   * `adjustment` are made by the operator.
   */
  kind: StatementLine['kind'];
  amount_micros: Micros;
  /** The change of the balance: 0 for a capture, whose amount left the balance with the reserve. */
  balance_delta_micros: Micros;
  /** What could be spent after the entry. */
  balance_after_micros: Micros;
  /** The job that was reserved, charged or refunded; null for other kinds. */
  job_id: Uuid | null;
  created_at: Timestamp;
}

/** A page of the statement, newest first. */
export type AccountStatementList = Page<StatementEntry>;
