import { columnsOf, type Queryable, type RowOf, statement } from '@kinora/database';
import {
  type Books,
  columnsOfStretches,
  type RunningSums,
  type Stretch,
  type SumsByAccount,
  withinIds,
} from './ledger-checkpoint.repository';
import { LedgerClosingEntity } from './ledger-closing.entity';
import { LedgerClosingRepository, type LedgerMonth } from './ledger-closing.repository';
import { ENTRIES_OF_STRETCHES } from './ledger-rules';

const CLOSED = columnsOf(LedgerClosingEntity, 'account_id', 'month', 'last_entry_id', 'entries', 'books');
export type ClosedAccount = RowOf<typeof CLOSED>;

const LIST_UNKEPT = statement(
  'ledger_archive_list_unkept',
  `SELECT ${CLOSED.sql} FROM ledger_closing WHERE month = $1 AND account_id > $2 AND checkpoint_chain IS NULL
   ORDER BY account_id LIMIT $3`,
);

/** The sums of closings up to a month. Their chain is empty unless the last of them is archived. */
const READ_SUMS = statement(
  'ledger_archive_read_sums',
  `SELECT account.id AS account_id, last_entry_id, entries, books, coalesce(checkpoint_chain, '') AS chain
   FROM unnest($1::uuid[]) AS account (id) CROSS JOIN LATERAL (
     SELECT last_entry_id, books, checkpoint_chain FROM ledger_closing
     WHERE account_id = account.id AND month <= $2 ORDER BY month DESC LIMIT 1
   ) AS last CROSS JOIN LATERAL (
     SELECT sum(entries)::bigint AS entries FROM ledger_closing WHERE account_id = account.id AND month <= $2
   ) AS counted`,
);

/**
 * Keeps what is read of entries after their month is archived: the ids and times of a job's, kind and amount of a named one. Holds are
 * locked in the order of their keys, as by those who end them.
 */
const KEEP = statement(
  'ledger_archive_keep',
  `WITH page AS MATERIALIZED (
     SELECT entry.* FROM ${ENTRIES_OF_STRETCHES}
   ), locked_hold AS MATERIALIZED (
     SELECT job_id FROM hold WHERE job_id IN (SELECT job_id FROM page) ORDER BY job_id FOR UPDATE
   ), entered AS (
     SELECT job_id, max(id) FILTER (WHERE kind = 'reserve') AS reserve_id, max(created_at) FILTER (WHERE kind = 'reserve') AS reserve_at,
            max(id) FILTER (WHERE kind <> 'reserve') AS end_id, max(created_at) FILTER (WHERE kind <> 'reserve') AS end_at
     FROM page JOIN locked_hold USING (job_id) GROUP BY job_id
   ), kept_hold AS (
     UPDATE hold SET reserve_entry_id = coalesce(reserve_id, reserve_entry_id), reserve_entry_at = coalesce(reserve_at, reserve_entry_at),
                     end_entry_id = coalesce(end_id, end_entry_id), end_entry_at = coalesce(end_at, end_entry_at)
     FROM entered WHERE hold.job_id = entered.job_id
   ), kept_reference AS (
     UPDATE ledger_reference AS named
     SET kind = page.kind, amount_micros = CASE WHEN debit IN ('top_ups', 'credits') THEN 1 ELSE -1 END * page.amount_micros
     FROM page, unnest(ARRAY[page.reference, 'payment ' || page.payment_id]) AS name
     WHERE (named.account_id, named.reference) = (page.account_id, name)
   )
   SELECT account_id, count(*) AS charged_jobs FROM page WHERE kind = 'capture' GROUP BY account_id`,
);

const STORE = statement(
  'ledger_archive_store',
  `UPDATE ledger_closing SET checkpoint_chain = kept.chain, charged_jobs = kept.jobs
   FROM unnest($2::uuid[], $3::text[], $4::bigint[]) AS kept (account_id, chain, jobs)
   WHERE ledger_closing.account_id = kept.account_id AND month = $1`,
);

const ARCHIVE = statement(
  'ledger_archive_end',
  'UPDATE ledger_month SET archived_at = clock_timestamp() WHERE month = $1 AND archived_at IS NULL',
);

const RECORD = statement(
  'ledger_archive_record',
  'UPDATE ledger_month SET archive_sha256 = coalesce(archive_sha256, $2) WHERE month = $1 RETURNING archive_sha256',
);

const COUNT = statement(
  'ledger_archive_count',
  `SELECT count(*) AS accounts, coalesce(sum(entries), 0)::bigint AS entries FROM ledger_closing WHERE month = $1`,
);

export interface KeptAccount {
  accountId: string;
  chain: string;
  chargedJobs: number;
}

type SumsRow = Pick<ClosedAccount, 'account_id' | 'last_entry_id' | 'entries' | 'books'> & { chain: string };

/** What stays of the entries of archived months. */
export class LedgerArchiveRepository {
  constructor(private readonly on: Queryable) {}

  /** Accounts whose entries in the month are not kept yet, in the order of their ids. */
  listUnkept(month: string, afterAccountId: string, limit: number): Promise<ClosedAccount[]> {
    return this.on.query<ClosedAccount>(LIST_UNKEPT, [month, afterAccountId, limit]);
  }

  /** The sums of each account with closings up to a month; of the others none. */
  async readSums(accountIds: string[], month: string): Promise<SumsByAccount> {
    const rows = await this.on.query<SumsRow>(READ_SUMS, [accountIds, month]);
    return new Map(
      rows.map(({ account_id, last_entry_id: entry_id, entries, books, chain }): [string, RunningSums] => [
        account_id,
        { ...{ entry_id, entries, chain }, ...booksOf(books) },
      ]),
    );
  }

  /** @returns the captures of each account */
  async keep(stretches: Stretch[], limit: number): Promise<Map<string, number>> {
    const values = [...columnsOfStretches(stretches), limit];
    const keep = withinIds(KEEP, stretches);
    const rows = await this.on.query<{ account_id: string; charged_jobs: number }>(keep, values);
    return new Map(rows.map(({ account_id, charged_jobs }) => [account_id, charged_jobs]));
  }

  async store(month: string, kept: KeptAccount[]): Promise<void> {
    await this.on.execute(STORE, [
      month,
      kept.map(({ accountId }) => accountId),
      kept.map(({ chain }) => chain),
      kept.map(({ chargedJobs }) => chargedJobs),
    ]);
  }

  /** From here on, no reader reads the entries of the month. */
  async archive(month: string): Promise<void> {
    await this.on.execute(ARCHIVE, [month]);
  }

  /** The first hash stays. @returns it */
  async record(month: string, sha256: string): Promise<string> {
    const row = await this.on.findOne<{ archive_sha256: string }>(RECORD, [month, sha256]);
    if (!row) throw new Error(`${month} is no month of the ledger`);
    return row.archive_sha256;
  }

  async count(month: string): Promise<{ accounts: number; entries: number }> {
    const row = await this.on.findOne<{ accounts: number; entries: number }>(COUNT, [month]);
    return row ?? { accounts: 0, entries: 0 };
  }
}

/** The sums of accounts with closings up to a month, and the id of its end. */
export interface ClosedSums {
  sums: SumsByAccount;
  endId: number;
}

/** Up to the last closed month. */
export async function readClosedSums(on: Queryable, accountIds: string[]): Promise<ClosedSums> {
  return readSumsUpTo(on, accountIds, (await new LedgerClosingRepository(on).listClosedMonths()).at(-1));
}

/** Up to the last archived month. */
export async function readArchivedSums(on: Queryable, accountIds: string[]): Promise<ClosedSums> {
  return readSumsUpTo(on, accountIds, lastArchived(await new LedgerClosingRepository(on).listClosedMonths()));
}

async function readSumsUpTo(on: Queryable, accountIds: string[], last: LedgerMonth | undefined): Promise<ClosedSums> {
  if (!last) return { sums: new Map(), endId: 0 };
  return { sums: await new LedgerArchiveRepository(on).readSums(accountIds, last.month), endId: last.end_id };
}

/** @param months oldest first */
export function lastArchived(months: LedgerMonth[]): LedgerMonth | undefined {
  return months.findLast(({ archived_at }) => archived_at !== null);
}

function booksOf(books: ClosedAccount['books']): Books {
  return {
    available_micros: books.available.closing_micros,
    held_micros: books.held.closing_micros,
    revenue_micros: books.revenue.closing_micros,
    top_ups_micros: books.top_ups.closing_micros,
    credits_micros: books.credits.closing_micros,
    debts_micros: books.debts.closing_micros,
  };
}
