import type { Micros } from '../shared/money';

export interface VerifyLedgerRequest {
  /** Only accounts behind this one: `next_account_id` of the report before. */
  after_account_id?: string;
  /** Reads every entry, hold, payment and budget again, not only what is new since the last run. */
  full?: boolean;
  /** Goes on with a full run: `next_cursor` of the report before. */
  cursor?: string;
}

/** What each book comes to. Money that was paid in and granted stands below zero there, as it left for the accounts. */
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
  /** Where the accounts go on that there was no time for; null where these were all. It may be the same one again. */
  next_account_id: string | null;
  /** Of a full run: where it goes on; null where it is over. */
  next_cursor?: string | null;
}
