import type { LedgerBooks } from '@kinora/contracts/billing/ledger-report';

/** The sums of an account's entries, from the first one to `entry_id`. */
export interface RunningSums extends LedgerBooks {
  /** 0 before the first entry. */
  entry_id: number;
  entries: number;
  /** Hash chain: each link hashes an entry and the chain before it, so any changed, missing or added entry changes it. */
  chain: string;
}

const BOOKS = ['available_micros', 'held_micros', 'revenue_micros', 'top_ups_micros', 'credits_micros'] as const;

export const NO_BOOKS: Readonly<LedgerBooks> = {
  available_micros: 0,
  held_micros: 0,
  revenue_micros: 0,
  top_ups_micros: 0,
  credits_micros: 0,
};

export const NO_ENTRIES: Readonly<RunningSums> = { ...NO_BOOKS, entry_id: 0, entries: 0, chain: '' };

/** Extends sums by the range of entries that follows. */
export function addStretch(sums: RunningSums, stretch: RunningSums): RunningSums {
  return {
    ...addBooks(sums, stretch),
    entry_id: stretch.entry_id,
    entries: sums.entries + stretch.entries,
    chain: stretch.chain,
  };
}

export function addBooks(first: LedgerBooks, second: LedgerBooks): LedgerBooks {
  const books = { ...NO_BOOKS };
  for (const book of BOOKS) books[book] = first[book] + second[book];
  return books;
}

export function isSame(first: RunningSums, second: RunningSums): boolean {
  return (
    first.entries === second.entries &&
    first.chain === second.chain &&
    BOOKS.every((book) => first[book] === second[book])
  );
}
