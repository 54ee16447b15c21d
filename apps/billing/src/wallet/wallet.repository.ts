import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Micros } from '@kinora/contracts/shared/money';
import { type Queryable, statement, violatedConstraint } from '@kinora/database';

const OPEN = statement('wallet_open', 'INSERT INTO wallet (account_id, max_concurrent_jobs) VALUES ($1, $2)');

/** Where the money comes from that is no job's: it was paid, or it was granted. */
const SOURCE_BY_KIND = { top_up: 'top_ups', credit: 'credits', adjustment: 'credits' } as const;
export type BalanceChangeKind = keyof typeof SOURCE_BY_KIND;

const CHANGE_BALANCE = statement(
  'wallet_change_balance',
  `WITH changed AS (
     UPDATE wallet SET available_micros = available_micros + $2 WHERE account_id = $1
     RETURNING account_id
   )
   INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, reason)
   SELECT account_id, $3, CASE WHEN $2 < 0 THEN 'available' ELSE $4 END, CASE WHEN $2 < 0 THEN $4 ELSE 'available' END,
          abs($2::bigint), $5
   FROM changed`,
);

/** What the wallet's own checks refuse. */
const PROBLEM_BY_CONSTRAINT: Readonly<Record<string, string>> = {
  wallet_is_countable: 'No wallet can hold that much.',
  wallet_available_micros_check: 'The balance is less than that.',
};

/** Wallets and what they are filled with. Each move is one statement that changes wallet and ledger together, or nothing. */
@Injectable()
export class WalletRepository {
  async open(transaction: Queryable, accountId: string, maxConcurrentJobs: number): Promise<void> {
    await transaction.execute(OPEN, [accountId, maxConcurrentJobs]);
  }

  /** @throws ApiError invalid_body */
  async changeBalance(
    on: Queryable,
    change: { kind: BalanceChangeKind; account_id: string; amount_micros: Micros; reason: string | null },
  ): Promise<void> {
    const { kind, account_id, amount_micros, reason } = change;
    try {
      await on.execute(CHANGE_BALANCE, [account_id, amount_micros, kind, SOURCE_BY_KIND[kind], reason]);
    } catch (error) {
      const problem = PROBLEM_BY_CONSTRAINT[violatedConstraint(error) ?? ''];
      throw problem === undefined ? error : new ApiError('invalid_body', problem, { param: 'amount_micros' });
    }
  }
}
