import type { Micros } from '../shared/money';

export interface StatementRequest {
  account_id: string;
  /** The newest so many lines: 1 to 1,000, by default 100. */
  limit?: number;
  /** Only lines before this one: `next_before_entry_id` of the page before. */
  before_entry_id?: string;
}

export interface Statement {
  data: StatementLine[];
  /** Where the lines before these are to be had; null where there are none. */
  next_before_entry_id: string | null;
}

/** One line of an account's statement, newest last, with the balance after it. */
export interface StatementLine {
  entry_id: string;
  kind: 'top_up' | 'credit' | 'adjustment' | 'reserve' | 'capture' | 'refund';
  amount_micros: Micros;
  /** What the line changed in the balance that can be spent. */
  balance_delta_micros: Micros;
  balance_after_micros: Micros;
  job_id: string | null;
  reason: string | null;
  /** Of a top-up or a credit, where it was given. Absent in answers of older releases. */
  reference?: string | null;
  created_at: string;
}
