import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Micros } from '@kinora/contracts/shared/money';
import { type Queryable, statement, violatedConstraint } from '@kinora/database';
import { withIds } from './ledger-bounds';
import { payIn } from './pay-in';

const OPEN = statement('wallet_open', 'INSERT INTO wallet (account_id, max_concurrent_jobs) VALUES ($1, $2)');

/** The book from which a balance change without a job takes its money: paid top-ups or granted credits. */
const SOURCE_BY_KIND = { top_up: 'top_ups', credit: 'credits', adjustment: 'credits' } as const;
export type BalanceChangeKind = keyof typeof SOURCE_BY_KIND;

const CHANGE_BALANCE = statement(
  'wallet_change_balance',
  `WITH changed AS (
     UPDATE wallet SET available_micros = available_micros + $2 WHERE account_id = $1
     RETURNING account_id
   )
   INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, reason, reference)
   SELECT account_id, $3, CASE WHEN $2 < 0 THEN 'available' ELSE $4 END, CASE WHEN $2 < 0 THEN $4 ELSE 'available' END,
          abs($2::bigint), $5, $6
   FROM changed
   RETURNING id::text AS entry_id`,
);

/** Paid money, which pays a debt first. */
const TOP_UP = statement(
  'wallet_top_up',
  `WITH request AS (
     SELECT $1::uuid AS account_id, $2::bigint AS amount_micros, $3::text AS reason, $4::text AS reference,
            NULL::uuid AS payment_id
   ), ${payIn('request')}`,
);

const FIND_REFERENCE = statement(
  'wallet_find_reference',
  'SELECT entry_id, kind, amount_micros FROM ledger_reference WHERE account_id = $1 AND reference = $2',
);
const FIND_ENTRY = statement(
  'wallet_find_entry',
  `SELECT kind, CASE WHEN debit = 'available' THEN -amount_micros ELSE amount_micros END AS amount_micros
     FROM ledger_entry WHERE account_id = $1 AND id = $2`,
);

interface ReferenceRow extends Record<string, unknown> {
  entry_id: number;
  /** Null until the entry is archived, as the amount. */
  kind: BalanceChangeKind | null;
  amount_micros: Micros | null;
}

interface BalanceChangeInput {
  kind: BalanceChangeKind;
  account_id: string;
  amount_micros: Micros;
  reason: string | null;
  reference?: string | null;
}

export interface ReferencedEntry {
  entry_id: string;
  kind: BalanceChangeKind;
  /** Negative if the change took money away. */
  amount_micros: Micros;
}

/** Messages for the CHECK constraints of the wallet. */
const PROBLEM_BY_CONSTRAINT: Readonly<Record<string, string>> = {
  wallet_is_countable: 'The balance would exceed the maximum of a wallet.',
  wallet_available_micros_check: 'The amount exceeds the available balance.',
};

/** Wallets and their balance changes. Each move is one statement that changes wallet and ledger together, or nothing. */
@Injectable()
export class WalletRepository {
  async open(transaction: Queryable, accountId: string, maxConcurrentJobs: number): Promise<void> {
    await transaction.execute(OPEN, [accountId, maxConcurrentJobs]);
  }

  /** @returns the id of the entry. @throws ApiError invalid_body, and the unique violation of a used reference */
  async changeBalance(on: Queryable, change: BalanceChangeInput): Promise<string> {
    const { kind, account_id, amount_micros, reason, reference = null } = change;
    const isPaid = kind === 'top_up';
    const values = isPaid ? [] : [kind, SOURCE_BY_KIND[kind]];
    try {
      const entry = await on.findOne<{ entry_id: string }>(isPaid ? TOP_UP : CHANGE_BALANCE, [
        ...[account_id, amount_micros, ...values, reason, reference],
      ]);
      if (!entry) throw new Error(`account ${account_id} has no wallet`);
      return entry.entry_id;
    } catch (error) {
      const problem = PROBLEM_BY_CONSTRAINT[violatedConstraint(error) ?? ''];
      throw problem === undefined ? error : new ApiError('invalid_body', problem, { param: 'amount_micros' });
    }
  }

  async findReference(on: Queryable, accountId: string, reference: string): Promise<ReferencedEntry | null> {
    const find = () => on.findOne<ReferenceRow>(FIND_REFERENCE, [accountId, reference]);
    const named = await find();
    if (!named) return null;
    // The entry can be archived and dropped after the reference was read, which then has what is asked for.
    return archivedEntry(named) ?? (await this.findEntry(on, accountId, named)) ?? archivedEntry(await find());
  }

  private async findEntry(on: Queryable, accountId: string, named: ReferenceRow): Promise<ReferencedEntry | null> {
    const find = withIds(FIND_ENTRY, { $2: named.entry_id });
    const entry = await on.findOne<Omit<ReferencedEntry, 'entry_id'> & Record<string, unknown>>(find, [accountId]);
    return entry && { entry_id: String(named.entry_id), ...entry };
  }
}

function archivedEntry(named: ReferenceRow | null): ReferencedEntry | null {
  if (!named || named.kind === null || named.amount_micros === null) return null;
  return { entry_id: String(named.entry_id), kind: named.kind, amount_micros: named.amount_micros };
}
