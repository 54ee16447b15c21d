import { Injectable } from '@nestjs/common';
import type { OperatorAction, OperatorRequest } from '@kinora/contracts/billing/operator-action';
import type { Queryable } from '@kinora/database';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, Repository } from 'typeorm';
import { OperatorActionEntity } from './operator-action.entity';
import type { PagePlace } from './page-place';

/** An action with its place in the list. */
interface RecordedAction extends OperatorAction {
  id: string;
}

/** Who changed what of an account, when and why. A record is written with the change, or neither is. */
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

  /** Which of these actions was the last. */
  async findLast(transaction: Queryable, accountId: string, actions: readonly string[]): Promise<string | null> {
    const last = await transaction.repository(OperatorActionEntity).findOne({
      comment: 'operator_action_find_last',
      where: { account_id: accountId, action: In(actions) },
      order: { id: 'DESC' },
    });
    return last?.action ?? null;
  }

  /** Newest first, from the one before the cursor on. */
  async list(accountId: string, { cursor, limit }: PagePlace): Promise<RecordedAction[]> {
    const rows = await this.actions.find({
      comment: 'operator_action_list',
      where: { account_id: accountId, ...(cursor !== null && { id: LessThan(Number(cursor)) }) },
      order: { id: 'DESC' },
      take: limit,
    });
    return rows.map(({ id, action, actor, reason, details, created_at }) => ({
      ...{ id: String(id), action, actor, reason, details },
      created_at: created_at.toISOString(),
    }));
  }
}
