import { Injectable } from '@nestjs/common';
import type {
  AppealDetails,
  AppealStatus,
  DecideAppealRequest,
  ListAppealsRequest,
} from '@kinora/contracts/moderation/appeals.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { PartialList } from '@kinora/contracts/shared/page';
import { toPage } from '@kinora/bus';
import { Database, OutboxRelay } from '@kinora/database';
import type { AppealEntity } from '../appeal/appeal.entity';
import { AppealRepository } from '../appeal/appeal.repository';
import { assertLimit, assertUuid, invalidField, isReason } from '../operator-input';
import { StrikeLedger } from '../strike/strike-ledger';

const DEFAULT_LIMIT = 100;
const STATUSES: readonly string[] = ['open', 'upheld', 'lifted'] satisfies AppealStatus[];

/** The queue of appeals. To lift one also lifts the strike of its job, in the same transaction. */
@Injectable()
export class DecideAppeal {
  constructor(
    private readonly database: Database,
    private readonly appeals: AppealRepository,
    private readonly ledger: StrikeLedger,
    private readonly relay: OutboxRelay,
  ) {}

  async list(request: ListAppealsRequest): Promise<PartialList<AppealDetails>> {
    const { status = 'open', limit = DEFAULT_LIMIT, cursor = null } = request;
    if (!isStatus(status)) throw invalidField('status', STATUSES.join(', '));
    assertUuid('cursor', cursor);
    assertLimit(limit);
    const found = await this.appeals.list(status, cursor, limit + 1);
    return toPage(found.map(toDetails), { limit, cursorOf: ({ appeal_id }) => appeal_id });
  }

  async execute(request: DecideAppealRequest): Promise<AppealDetails> {
    const { appeal_id, status, reason, actor } = request;
    assertUuid('appeal_id', appeal_id);
    if (status !== 'upheld' && status !== 'lifted') throw invalidField('status', 'upheld or lifted');
    if (!isReason(reason)) throw invalidField('reason', 'a text of 1 to 500 characters');
    const { job_id } = await this.get(appeal_id);
    await this.database.transaction(async (transaction) => {
      if (!(await this.appeals.decide(transaction, request)) || status === 'upheld') return;
      await this.ledger.liftOfJob(transaction, job_id, actor ?? null, reason);
    });
    this.relay.nudge();
    return toDetails(await this.get(appeal_id));
  }

  private async get(id: string): Promise<AppealEntity> {
    const appeal = await this.appeals.find(id);
    if (!appeal) throw new ApiError('not_found', 'There is no such appeal.');
    return appeal;
  }
}

function isStatus(status: string): status is AppealStatus {
  return STATUSES.includes(status);
}

function toDetails({ id, created_at, decided_at, ...appeal }: AppealEntity): AppealDetails {
  return {
    appeal_id: id,
    ...appeal,
    created_at: created_at.toISOString(),
    decided_at: decided_at?.toISOString() ?? null,
  };
}
