import { rpc } from '../shared/contract';
import type { Micros } from '../shared/money';
import type { RetentionPlan } from '../shared/retention';
import type { OperatorRequest } from './operator-action';

/** The entries of all accounts on one day of UTC. Revenue is what was captured: a refund ends a hold that was never charged. */
export interface LedgerDay {
  day: string;
  top_ups_micros: Micros;
  credits_micros: Micros;
  /** Added minus taken away. */
  adjustments_micros: Micros;
  reserved_micros: Micros;
  captures: number;
  captured_micros: Micros;
  refunds: number;
  refunded_micros: Micros;
  /** Paid back to cards, by operators and by disputes; negative where more has come back. */
  paid_back_micros?: Micros;
}

/** The result of the periodic verification of all wallets, as the answering process has made it. */
export interface LedgerVerification {
  /** When its last round ended; null before the first one has. */
  verified_at: string | null;
  violations: number;
  drift_micros: Micros;
}

export interface LedgerDays {
  /** Newest first; a day without entries is absent. */
  data: LedgerDay[];
  verification: LedgerVerification;
}

export const ledgerDaysRpc = {
  /** The ledger by day. The numbers of the current hour may be half a minute old. */
  listDays: rpc<{ days?: number }, LedgerDays>('billing.v1.list_ledger_days', { errors: ['invalid_body'] }),
} as const;

export interface VerifyLedgerRequest {
  /** Only accounts after this one: `next_account_id` of the previous report. */
  after_account_id?: string;
  /** Checks every entry, closing, hold, payment and budget again, not only those since the last run. */
  full?: boolean;
  /** Checks the closings, and the entries that are in none again. */
  open_months?: boolean;
  /** Continues a run of the open months, or a full one: `next_cursor` of the previous report. */
  cursor?: string;
}

/** The balance of each book. The books of payments and credits are negative, because their money went to the accounts. */
export interface LedgerBooks {
  available_micros: Micros;
  held_micros: Micros;
  revenue_micros: Micros;
  top_ups_micros: Micros;
  credits_micros: Micros;
  /** What accounts owe for payments that went back, negative. */
  debts_micros?: Micros;
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
  /** Runs of the open months and full ones only: where to continue; null at the end. */
  next_cursor?: string | null;
}

export interface ReadLedgerMonthRequest {
  /** Such as 2026-11. */
  month: string;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface LedgerMonthPage {
  /** Of the archive: for each account a line with its `opening` and `closing`, and one for each entry. */
  lines: string[];
  next_cursor: string | null;
}

/** A closed month. */
export interface LedgerMonthState {
  month: string;
  closed_at: string;
  /** Of the file that has its entries; null until it is exported. */
  archive_sha256: string | null;
  /** Since then only the file has the entries; null until then. */
  archived_at: string | null;
}

export interface RecordLedgerExportRequest {
  month: string;
  /** Of the file without its last line, in hexadecimal digits. */
  sha256: string;
  /** What the file has. */
  accounts: number;
  entries: number;
}

export const ledgerMonthRpc = {
  /** What retention drops of the entries. */
  planRetention: rpc<Record<string, never>, RetentionPlan>('billing.v1.plan_retention'),
  /** The archive of a closed month, page by page. */
  read: rpc<ReadLedgerMonthRequest, LedgerMonthPage>('billing.v1.read_ledger_month', {
    timeoutMs: 30_000,
    errors: ['invalid_body'],
  }),
  show: rpc<{ month: string }, LedgerMonthState>('billing.v1.show_ledger_month', { errors: ['invalid_body'] }),
  /** Records a verified file of a closed month, whose entries may then be dropped. Another hash than before is refused. */
  recordExport: rpc<RecordLedgerExportRequest, LedgerMonthState>('billing.v1.record_ledger_export', {
    errors: ['invalid_body'],
  }),
} as const;

export interface TopUpRequest extends OperatorRequest {
  account_id: string;
  amount_micros: Micros;
  /** The operator's own reference of the payment, 1 to 100 characters. Repeating it adds nothing. */
  reference?: string;
}

export interface GrantCreditRequest extends TopUpRequest {
  /**
   * The job whose price is given back. Billing refuses it unless the charge of the job is booked and covers the amount, and
   * sets the reference by the job, so that a job is given back once.
   */
  refunded_job_id?: string;
}
