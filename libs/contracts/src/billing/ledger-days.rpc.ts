import { rpc } from '../shared/contract';
import type { Micros } from '../shared/money';

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
  listDays: rpc<{ days?: number }, LedgerDays>('billing.v1.list_ledger_days', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'capacity'],
  }),
} as const;
