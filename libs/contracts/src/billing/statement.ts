import type { BillingDetails } from './billing-details.rpc';
import type { Micros } from '../shared/money';
import type { Page } from '../shared/page';
import type { Timestamp, Uuid } from '../shared/scalars';

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
  archived?: ArchivedStatement;
}

/** On the last page, where older entries are archived: they are not listed. */
export interface ArchivedStatement {
  /** The last archived month in UTC, such as 2026-11. */
  through: string;
  /** The balance at its end, and thus before the oldest entry that is listed. */
  closing_micros: Micros;
}

/**
 * What has led to an adjustment: a payment was given back (or its refund has failed), a payment was disputed (or the dispute was won),
 * or a top-up has paid what was owed for a payment that went back.
 */
export type AdjustmentCause = 'payment_refund' | 'dispute' | 'debt_payment';

/** One entry of an account's statement with the balance after it. The newest is last. */
export interface StatementLine {
  entry_id: string;
  kind: 'top_up' | 'credit' | 'adjustment' | 'reserve' | 'capture' | 'refund';
  /** Of an adjustment that a payment has led to. */
  cause?: AdjustmentCause;
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

/** One move of the account's money. */
export interface StatementEntry {
  object: 'statement_entry';
  id: string;
  /**
   * `reserve` holds the price of a job, and its end is either `capture`, which charges it, or `refund`. `top_up`, `credit` and
   * `adjustment` are made by the operator.
   */
  kind: StatementLine['kind'];
  /** Of an adjustment that a payment has led to. */
  cause?: AdjustmentCause;
  amount_micros: Micros;
  /** The change of the balance: 0 for a capture, whose amount left the balance with the reserve. */
  balance_delta_micros: Micros;
  /** What could be spent after the entry. */
  balance_after_micros: Micros;
  /** The job that was reserved, charged or refunded; null for other kinds. */
  job_id: Uuid | null;
  created_at: Timestamp;
}

/** The opening balance, the entries, what was charged and what is reserved add up to the closing balance. */
export interface MonthStatement {
  month: string;
  billing_details: BillingDetails | null;
  opening_micros: Micros;
  closing_micros: Micros;
  charged_jobs: number;
  charged_micros: Micros;
  /** The change of what jobs in flight hold. */
  reserved_micros: Micros;
  /** The moves other than those of jobs, oldest first. */
  entries: StatementEntry[];
  /** The page of the statement that begins with the last entry of the month. */
  cursor: string;
  /** The entries are archived, and left out here: `entries` is empty. */
  archived?: true;
}

/** A page of the statement, newest first. */
export interface AccountStatementList extends Page<StatementEntry> {
  archived?: ArchivedStatement;
}
