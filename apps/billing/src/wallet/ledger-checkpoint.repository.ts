import type { LedgerBooks } from '@kinora/contracts/billing/ledger.rpc';
import { type Queryable, type Statement, statement } from '@kinora/database';
import { boundsOf, withIds } from './ledger-bounds';
import { ENTRIES_OF_STRETCHES, FIND_ENTRY_VIOLATIONS_SQL, type Violation } from './ledger-rules';

/** The balances of all books. */
export type Books = Required<LedgerBooks>;

/** The sums of an account's entries, from the first one to `entry_id`. */
export interface RunningSums extends Books {
  /** 0 before the first entry. */
  entry_id: number;
  entries: number;
  /** Hash chain: each link hashes an entry and the chain before it, so any changed, missing or added entry changes it. */
  chain: string;
}

const BOOKS = [
  'available_micros',
  'held_micros',
  'revenue_micros',
  'top_ups_micros',
  'credits_micros',
  'debts_micros',
] as const;

export const NO_BOOKS: Readonly<Books> = {
  available_micros: 0,
  held_micros: 0,
  revenue_micros: 0,
  top_ups_micros: 0,
  credits_micros: 0,
  debts_micros: 0,
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

export function addBooks(first: Books, second: Books): Books {
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

/** Credits minus debits of a book. */
const sumOfBook = (book: string): string =>
  `coalesce(sum(CASE '${book}' WHEN credit THEN amount_micros WHEN debit THEN -amount_micros END), 0)::bigint`;

const COLUMNS = `entry_id, entries, available_micros, held_micros, revenue_micros, top_ups_micros, credits_micros, debts_micros, chain`;

/** Serializes replicas that verify at the same time, so that each one reads the checkpoints that the other has stored. */
const LOCK = statement(
  'ledger_checkpoint_lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('ledger_checkpoint', 0))`,
);

const LIST_ACCOUNTS = statement(
  'ledger_list_accounts',
  'SELECT account_id FROM wallet WHERE account_id > $1 ORDER BY account_id LIMIT $2',
);

const FIND = statement(
  'ledger_checkpoint_find',
  `SELECT account_id, ${COLUMNS} FROM ledger_checkpoint WHERE account_id = ANY($1::uuid[])`,
);

/** Those of the accounts that have entries in a closing after the given ones. */
const FIND_UNREAD = statement(
  'ledger_checkpoint_find_unread',
  `SELECT reached.account_id FROM unnest($1::uuid[], $2::bigint[]) AS reached (account_id, entry_id) CROSS JOIN LATERAL (
     SELECT last_entry_id FROM ledger_closing WHERE account_id = reached.account_id ORDER BY month DESC LIMIT 1
   ) AS closing WHERE last_entry_id > entry_id`,
);

/** Sums up the next entries of each account and extends its hash chain. */
const READ_STRETCHES = statement(
  'ledger_read_stretches',
  `SELECT entry.account_id, max(id) AS entry_id, count(*) AS entries,
          ${sumOfBook('available')} AS available_micros, ${sumOfBook('held')} AS held_micros,
          ${sumOfBook('revenue')} AS revenue_micros, ${sumOfBook('top_ups')} AS top_ups_micros,
          ${sumOfBook('credits')} AS credits_micros, ${sumOfBook('debts')} AS debts_micros,
          chain_ledger_entries(chain_before, jsonb_build_array(
            id, entry.account_id, kind, debit, credit, amount_micros, job_id, payment_id, reason,
            extract(epoch FROM created_at))::text ORDER BY id) AS chain
   FROM ${ENTRIES_OF_STRETCHES} GROUP BY entry.account_id`,
);

const FIND_ENTRY_VIOLATIONS = statement('ledger_find_entry_violations', FIND_ENTRY_VIOLATIONS_SQL);

const STORE = statement(
  'ledger_checkpoint_store',
  `INSERT INTO ledger_checkpoint (account_id, ${COLUMNS})
   SELECT account_id, ${COLUMNS}
   FROM json_to_recordset($1::json) AS reached (account_id uuid, entry_id bigint, entries bigint, available_micros bigint,
     held_micros bigint, revenue_micros bigint, top_ups_micros bigint, credits_micros bigint, debts_micros bigint,
     chain text)
   ON CONFLICT (account_id) DO UPDATE SET (${COLUMNS}, checked_at) =
     (excluded.entry_id, excluded.entries, excluded.available_micros, excluded.held_micros, excluded.revenue_micros,
      excluded.top_ups_micros, excluded.credits_micros, excluded.debts_micros, excluded.chain, clock_timestamp())`,
);

/** The largest identity that a JavaScript number represents exactly. */
export const NEWEST_ENTRY = Number.MAX_SAFE_INTEGER;

/** The entries of an account to read next: after `from`, up to `lastEntryId`. */
export interface Stretch {
  accountId: string;
  from: RunningSums;
  lastEntryId: number;
  /** The account has no entry between `from` and this id. */
  firstId?: number;
}

export type SumsByAccount = Map<string, RunningSums>;

/** Reads the ledger in ranges of entries, and stores how far each account is verified. */
export class LedgerCheckpointRepository {
  constructor(private readonly transaction: Queryable) {}

  async lock(): Promise<void> {
    await this.transaction.query(LOCK);
  }

  async listAccounts(afterAccountId: string, limit: number): Promise<string[]> {
    const rows = await this.transaction.query<{ account_id: string }>(LIST_ACCOUNTS, [afterAccountId, limit]);
    return rows.map(({ account_id }) => account_id);
  }

  async find(accountIds: string[]): Promise<SumsByAccount> {
    const found = await this.query(FIND, [accountIds]);
    return new Map(accountIds.map((id) => [id, found.get(id) ?? NO_ENTRIES]));
  }

  /** The accounts with entries after these sums that closed months have. */
  async findUnread(reached: SumsByAccount): Promise<Set<string>> {
    const values = [[...reached.keys()], [...reached.values()].map(({ entry_id }) => entry_id)];
    const rows = await this.transaction.query<{ account_id: string }>(FIND_UNREAD, values);
    return new Set(rows.map(({ account_id }) => account_id));
  }

  /** The sums of only these ranges, at most `limit` entries each; accounts without entries are left out. */
  readStretches(stretches: Stretch[], limit: number): Promise<SumsByAccount> {
    return this.query(withinIds(READ_STRETCHES, stretches), [...columnsOfStretches(stretches), limit]);
  }

  findEntryViolations(stretches: Stretch[], limit: number): Promise<Violation[]> {
    // Prepared for every range, of which an entry too many may be in any: planning it takes longer than it runs.
    const { $6, $7 } = boundsOf(stretches.map(idsOf));
    return this.transaction.query<Violation>(FIND_ENTRY_VIOLATIONS, [...columnsOfStretches(stretches), limit, $6, $7]);
  }

  async store(reached: SumsByAccount): Promise<void> {
    const rows = [...reached].map(([account_id, sums]) => ({ account_id, ...sums }));
    if (rows.length > 0) await this.transaction.execute(STORE, [JSON.stringify(rows)]);
  }

  private async query(of: typeof FIND, values: unknown[]): Promise<SumsByAccount> {
    const rows = await this.transaction.query<RunningSums & { account_id: string }>(of, values);
    return new Map(rows.map(({ account_id, ...sums }) => [account_id, sums]));
  }
}

function idsOf({ from, firstId = 0, lastEntryId }: Stretch): [afterId: number, lastId: number] {
  return [Math.max(from.entry_id, firstId - 1), lastEntryId];
}

/** The statement for the ranges of these stretches. */
export function withinIds(of: Statement, stretches: Stretch[]): Statement {
  return withIds(of, boundsOf(stretches.map(idsOf)));
}

export function columnsOfStretches(stretches: Stretch[]): unknown[] {
  return [
    stretches.map(({ accountId }) => accountId),
    stretches.map((stretch) => idsOf(stretch)[0]),
    stretches.map(({ lastEntryId }) => lastEntryId),
    stretches.map(({ from }) => from.chain),
  ];
}
