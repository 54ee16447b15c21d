import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { AccountListRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import type { OperatorAction } from '@kinora/contracts/billing/operator-action';
import type { PartialList } from '@kinora/contracts/shared/page';
import { AccountRepository } from '../../account/account.repository';
import { assertEntryId } from '../../operator/operator-input';
import { AuditTrail } from '../../operator/audit-trail.repository';

const MAX_ROWS = 1_000;

/** Lists the operator actions on an account, newest first. */
@Injectable()
export class ListActions {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly auditTrail: AuditTrail,
  ) {}

  async execute({ account_id, cursor }: AccountListRequest): Promise<PartialList<OperatorAction>> {
    assertEntryId({ cursor }, 'cursor');
    await this.accounts.assertExists(account_id);
    const found = await this.auditTrail.list(account_id, { cursor: cursor ?? null, limit: MAX_ROWS + 1 });
    const page = toPage(found, { limit: MAX_ROWS, cursorOf: ({ id }) => id });
    return { ...page, data: page.data.map(({ id: _id, ...action }) => action) };
  }
}
