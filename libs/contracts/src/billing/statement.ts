import type { Micros } from '../shared/money';

export interface StatementRequest {
  account_id: string;
  /** Number of newest entries: 1 to 1,000, by default 100. */
  limit?: number;
  /** Only entries before this one: `next_before_entry_id` of the previous page. */
  before_entry_id?: string;
}

export interface Statement {
  data: StatementLine[];
  /** The entry before which the next page continues; null if there are no older ones. */
  next_before_entry_id: string | null;
}

/** One entry of an account's statement with the balance after it. The newest is last. */
export interface StatementLine {
  entry_id: string;
  kind: 'top_up' | 'credit' | 'adjustment' | 'reserve' | 'capture' | 'refund';
  amount_micros: Micros;
  /** The change of the available balance. */
  balance_delta_micros: Micros;
  balance_after_micros: Micros;
  job_id: string | null;
  reason: string | null;
  /** The reference of a top-up or a credit, if one was given. */
  reference?: string | null;
  created_at: string;
}
