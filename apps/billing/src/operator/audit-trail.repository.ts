import { Injectable } from '@nestjs/common';
import type { OperatorAction, OperatorRequest } from '@kinora/contracts/billing/operator-action';
import type { Queryable } from '@kinora/database';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, Repository } from 'typeorm';
import { OperatorActionEntity } from './operator-action.entity';
import type { PagePlace } from './page-place';

/** An action with its position in the list. */
interface RecordedAction extends OperatorAction {
  id: string;
}

/** The audit trail of operator actions on accounts. A record is written in the transaction of its change. */
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

  /** The latest of the given actions. */
  async findLast(transaction: Queryable, accountId: string, actions: readonly string[]): Promise<string | null> {
    const last = await transaction.repository(OperatorActionEntity).findOne({
      comment: 'operator_action_find_last',
      where: { account_id: accountId, action: In(actions) },
      order: { id: 'DESC' },
    });
    return last?.action ?? null;
  }

  /** Newest first, from the first record before the cursor. */
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
