import type { LedgerReport } from '@kinora/contracts/billing/ledger-report';
import { MAX_VIOLATIONS, type Violation } from './ledger-rules';
import { NO_BOOKS, addBooks } from './running-sums';

/** The findings of a part of the work. */
export type Findings = Pick<LedgerReport, 'accounts' | 'entries' | 'books' | 'violations'>;

export function noFindings(violations: Violation[] = []): Findings {
  return { accounts: 0, entries: 0, books: { ...NO_BOOKS }, violations };
}

/** Joins the findings of two consecutive parts. */
export function joinFindings(first: Findings, second: Findings): Findings {
  return {
    accounts: first.accounts + second.accounts,
    entries: first.entries + second.entries,
    books: addBooks(first.books, second.books),
    violations: [...first.violations, ...second.violations].slice(0, MAX_VIOLATIONS),
  };
}
