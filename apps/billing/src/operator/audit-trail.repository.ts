import { Injectable } from '@nestjs/common';
import type { OperatorAction, OperatorRequest } from '@kinora/contracts/billing/operator-action';
import { Database, type Queryable, statement } from '@kinora/database';
import type { PagePlace } from './page-place';

const RECORD = statement(
  'operator_action_record',
  'INSERT INTO operator_action (account_id, action, actor, reason, details) VALUES ($1, $2, $3, $4, $5)',
);

const LIST = statement(
  'operator_action_list',
  `SELECT id::text, action, actor, reason, details, created_at FROM operator_action
   WHERE account_id = $1 AND id < coalesce($2::bigint, 9223372036854775807)
   ORDER BY operator_action.id DESC LIMIT $3`,
);

const FIND_LAST = statement(
  'operator_action_find_last',
  `SELECT action FROM operator_action WHERE account_id = $1 AND action = ANY($2::text[]) ORDER BY id DESC LIMIT 1`,
);

/** An action with its place in the list. */
interface RecordedAction extends OperatorAction {
  id: string;
}

/** Who changed what of an account, when and why. A record is written with the change, or neither is. */
@Injectable()
export class AuditTrail {
  constructor(private readonly database: Database) {}

  async record<Request extends OperatorRequest & { account_id: string }>(
    transaction: Queryable,
    action: string,
    request: Request,
  ): Promise<void> {
    const { account_id, actor, reason, ...details } = request;
    await transaction.execute(RECORD, [account_id, action, actor ?? null, reason ?? null, JSON.stringify(details)]);
  }

  /** Which of these actions was the last. */
  async findLast(transaction: Queryable, accountId: string, actions: readonly string[]): Promise<string | null> {
    return (await transaction.findOne<{ action: string }>(FIND_LAST, [accountId, actions]))?.action ?? null;
  }

  /** Newest first, from the one before the cursor on. */
  async list(accountId: string, { cursor, limit }: PagePlace): Promise<RecordedAction[]> {
    const rows = await this.database.query<Omit<RecordedAction, 'created_at'> & { created_at: Date }>(LIST, [
      accountId,
      cursor,
      limit,
    ]);
    return rows.map(({ created_at, ...action }) => ({ ...action, created_at: created_at.toISOString() }));
  }
}
