import { Injectable } from '@nestjs/common';
import type { OperatorAction, OperatorRequest } from '@kinora/contracts/billing/operator-action';
import type { KeyCaller } from '@kinora/contracts/billing/self-service.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type Queryable, statement } from '@kinora/database';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, Repository } from 'typeorm';
import { OperatorActionEntity } from './operator-action.entity';
import type { PagePlace } from './page-place';

interface RecordedAction extends OperatorAction {
  id: string;
}

/**
 * Changes of one account by its keys in an hour. Each is kept for good, so their number needs a bound. The sign-outs of portal
 * sessions do not count: an operator has made a link for each of them.
 */
export const KEY_CHANGES_PER_HOUR = 200;
export const END_PORTAL_SESSION = 'end_portal_session';

const WAIT_FOR_ROOM = statement(
  'operator_action_wait_for_room',
  `SELECT ceil(extract(epoch FROM created_at + interval '1 hour' - now()))::integer AS seconds
   FROM operator_action WHERE account_id = $1 AND api_key_id IS NOT NULL AND action <> '${END_PORTAL_SESSION}'
   ORDER BY id DESC OFFSET ${KEY_CHANGES_PER_HOUR - 1} LIMIT 1`,
);

/** The audit trail of changes of accounts, by operators and by keys of the scope `account`. A record is written in the transaction of its change. */
@Injectable()
export class AuditTrail {
  constructor(@InjectRepository(OperatorActionEntity) private readonly actions: Repository<OperatorActionEntity>) {}

  async record<Request extends OperatorRequest & { account_id: string }>(
    transaction: Queryable,
    action: string,
    request: Request,
  ): Promise<void> {
    const { account_id, actor = null, reason = null, ...details } = request;
    const actions = transaction.repository(OperatorActionEntity);
    await actions.insert({ account_id, action, actor, reason, details: details as Record<string, never> });
  }

  /** Records a change that a key of the account made. */
  async recordOfKey(
    transaction: Queryable,
    { account_id, api_key_id }: KeyCaller,
    { action, details }: { action: string; details: Record<string, unknown> },
  ): Promise<void> {
    const actions = transaction.repository(OperatorActionEntity);
    await actions.insert({ account_id, action, api_key_id, details: details as Record<string, never> });
  }

  /** Under the lock of the account. @throws ApiError rate_limited after KEY_CHANGES_PER_HOUR */
  async assertRoom(transaction: Queryable, accountId: string): Promise<void> {
    const wait = await transaction.findOne<{ seconds: number }>(WAIT_FOR_ROOM, [accountId]);
    if (!wait || wait.seconds <= 0) return;
    const rule = `Keys may change their account ${KEY_CHANGES_PER_HOUR} times an hour.`;
    throw new ApiError('rate_limited', `${rule} Retry in ${wait.seconds} s.`, { retry_after_seconds: wait.seconds });
  }

  /** The latest of the given actions, with its details. */
  async findLast(
    transaction: Queryable,
    accountId: string,
    actions: readonly string[],
  ): Promise<Pick<OperatorAction, 'action' | 'details'> | null> {
    return await transaction.repository(OperatorActionEntity).findOne({
      comment: 'operator_action_find_last',
      where: { account_id: accountId, action: In(actions) },
      order: { id: 'DESC' },
    });
  }

  /** Newest first, from the first record before the cursor. */
  async list(accountId: string, { cursor, limit }: PagePlace): Promise<RecordedAction[]> {
    const rows = await this.actions.find({
      comment: 'operator_action_list',
      where: { account_id: accountId, ...(cursor !== null && { id: LessThan(Number(cursor)) }) },
      order: { id: 'DESC' },
      take: limit,
    });
    return rows.map(({ id, action, actor, api_key_id, reason, details, created_at }) => ({
      ...{ id: String(id), action, actor, api_key_id, reason, details },
      created_at: created_at.toISOString(),
    }));
  }
}
