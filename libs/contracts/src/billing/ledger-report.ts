import type { Micros } from '../shared/money';

export interface VerifyLedgerRequest {
  /** Only accounts after this one: `next_account_id` of the previous report. */
  after_account_id?: string;
  /** Checks every entry, hold, payment and budget again, not only those since the last run. */
  full?: boolean;
  /** Continues a full run: `next_cursor` of the previous report. */
  cursor?: string;
}

/** The balance of each book. The books of payments and credits are negative, because their money went to the accounts. */
export interface LedgerBooks {
  available_micros: Micros;
  held_micros: Micros;
  revenue_micros: Micros;
  top_ups_micros: Micros;
  credits_micros: Micros;
}

export interface LedgerReport {
  ok: boolean;
  accounts: number;
  entries: number;
  books: LedgerBooks;
  /** At most 1,000. */
  violations: { rule: string; account_id: string | null; detail: string }[];
  /** The account at which the next report continues; null if all were checked. It may be the same one again. */
  next_account_id: string | null;
  /** Full runs only: where to continue; null at the end. */
  next_cursor?: string | null;
}
