import type { Micros } from '../shared/money';

export const LEDGER_BOOKS = ['available', 'held', 'revenue', 'top_ups', 'credits', 'debts'] as const;
export type LedgerBook = (typeof LEDGER_BOOKS)[number];

/** An entry as billing and archives write it: a line of JSON, whose text the chain of a closing hashes. */
interface LedgerLine {
  id: number;
  account_id: string;
  kind: string;
  debit: LedgerBook;
  credit: LedgerBook;
  amount_micros: Micros;
  job_id: string | null;
}

interface BookClosing {
  opening_micros: Micros;
  /** What the entries of each kind have added, or taken away. */
  micros_by_kind: Record<string, Micros>;
  closing_micros: Micros;
}

/** What the entries of an account in one month add up to. */
export interface LedgerClosing {
  account_id: string;
  /** In UTC, such as 2026-11. */
  month: string;
  last_entry_id: number;
  entries: number;
  books: Record<LedgerBook, BookClosing>;
  /** The reserved amounts of the jobs that have not ended: they are carried forward into the next month. */
  open_holds: Record<string, Micros>;
  /** Hash chain over the lines of this month, and of all months before. */
  chain: string;
}

/** SHA-256 in hexadecimal digits. The contracts import no module of Node, so the caller gives it. */
type Sha256 = (text: string) => string;

/** A month before its first entry. @param before the last closing of the account; null if it has none */
export function openMonth(account_id: string, month: string, before: LedgerClosing | null): LedgerClosing {
  const opened = LEDGER_BOOKS.map((book) => {
    const micros = before?.books[book].closing_micros ?? 0;
    return [book, { opening_micros: micros, micros_by_kind: {}, closing_micros: micros }];
  });
  return {
    ...{ account_id, month, last_entry_id: before?.last_entry_id ?? 0, entries: 0 },
    books: Object.fromEntries(opened) as LedgerClosing['books'],
    ...{ open_holds: { ...before?.open_holds }, chain: before?.chain ?? '' },
  };
}

/** Continues a closing by the lines that follow, which are in the order of their ids. */
export function addLines(closing: LedgerClosing, lines: string[], sha256: Sha256): LedgerClosing {
  const books = LEDGER_BOOKS.map((book) => {
    const { micros_by_kind, ...micros } = closing.books[book];
    return [book, { ...micros, micros_by_kind: { ...micros_by_kind } }];
  });
  const sum: LedgerClosing = {
    ...{ ...closing, open_holds: { ...closing.open_holds } },
    books: Object.fromEntries(books) as LedgerClosing['books'],
  };
  for (const line of lines) {
    const { id, kind, debit, credit, amount_micros, job_id } = JSON.parse(line) as LedgerLine;
    addMicros(sum.books[credit], kind, amount_micros);
    addMicros(sum.books[debit], kind, -amount_micros);
    if (job_id !== null && kind === 'reserve') sum.open_holds[job_id] = amount_micros;
    else if (job_id !== null) delete sum.open_holds[job_id];
    sum.chain = sha256(sum.chain + line);
    sum.last_entry_id = id;
    sum.entries += 1;
  }
  return sum;
}

function addMicros(book: BookClosing, kind: string, micros: Micros): void {
  book.micros_by_kind[kind] = (book.micros_by_kind[kind] ?? 0) + micros;
  book.closing_micros += micros;
}

/** Why a closing cannot be right, whatever its entries are. @param before the account's closing before it */
export function closingProblems(closing: LedgerClosing, before: LedgerClosing | null): string[] {
  const { books, open_holds, month } = closing;
  const opening = openMonth(closing.account_id, month, before);
  const problems = LEDGER_BOOKS.flatMap((book) => {
    const { opening_micros, micros_by_kind, closing_micros } = books[book];
    const carried = opening.books[book].opening_micros;
    return [
      ...(opening_micros === carried ? [] : [`${month} opens ${book} with ${opening_micros}, ${carried} were left`]),
      ...(opening_micros + sumOf(micros_by_kind) === closing_micros
        ? []
        : [`${month} closes ${book} with ${closing_micros}, which its sums do not lead to`]),
    ];
  });
  const total = LEDGER_BOOKS.reduce((sum, book) => sum + books[book].closing_micros, 0);
  if (total !== 0) problems.push(`the books of ${month} add up to ${total}`);
  const held = sumOf(open_holds);
  if (held !== books.held.closing_micros)
    problems.push(`${month} holds ${books.held.closing_micros}, and carries holds of ${held}`);
  return problems;
}

function sumOf(amounts: Record<string, Micros>): Micros {
  return Object.values(amounts).reduce((sum, micros) => sum + micros, 0);
}
