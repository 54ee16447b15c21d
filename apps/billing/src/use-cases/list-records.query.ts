import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { AccountListRequest, ApiKeyDetails, PaymentDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import type { OpenHold } from '@kinora/contracts/billing/billing.rpc';
import type { OperatorAction } from '@kinora/contracts/billing/operator-action';
import type { PartialList } from '@kinora/contracts/shared/page';
import { AccountRepository } from '../account/account.repository';
import { ApiKeyRepository } from '../api-key/api-key.repository';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertEntryId, assertUuid } from '../operator/operator-input';
import type { PagePlace } from '../operator/page-place';
import { PaymentRepository } from '../payments/payment.repository';
import { HoldRepository } from '../wallet/hold.repository';

const MAX_ROWS = 1_000;

/** Lists the records of one account for operators, page by page. */
@Injectable()
export class ListRecords {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly holds: HoldRepository,
    private readonly payments: PaymentRepository,
    private readonly auditTrail: AuditTrail,
  ) {}

  /** Newest first, including revoked and expired ones. */
  listKeys(request: AccountListRequest): Promise<PartialList<ApiKeyDetails>> {
    assertUuid(request, 'cursor');
    const { account_id } = request;
    return this.list(
      request,
      (place) => this.apiKeys.list(account_id, place),
      ({ api_key_id }) => api_key_id,
    );
  }

  /** The open holds, oldest first. */
  listHolds(request: AccountListRequest): Promise<PartialList<OpenHold>> {
    assertUuid(request, 'cursor');
    const { account_id } = request;
    return this.list(
      request,
      (place) => this.holds.listOpenOfAccount(account_id, place),
      ({ job_id }) => job_id,
    );
  }

  /** Newest first, including failed ones. */
  listPayments(request: AccountListRequest): Promise<PartialList<PaymentDetails>> {
    assertUuid(request, 'cursor');
    const { account_id } = request;
    return this.list(
      request,
      (place) => this.payments.list(account_id, place),
      ({ payment_id }) => payment_id,
    );
  }

  /** The changes of the account, newest first. */
  async listActions(request: AccountListRequest): Promise<PartialList<OperatorAction>> {
    assertEntryId(request, 'cursor');
    const { account_id } = request;
    const page = await this.list(
      request,
      (place) => this.auditTrail.list(account_id, place),
      ({ id }) => id,
    );
    return { ...page, data: page.data.map(({ id: _id, ...action }) => action) };
  }

  private async list<Row>(
    { account_id, cursor = null }: { account_id: string; cursor?: string | null },
    read: (place: PagePlace) => Promise<Row[]>,
    cursorOf: (row: Row) => string,
  ): Promise<PartialList<Row>> {
    await this.accounts.assertExists(account_id);
    // One extra row shows whether more follow.
    return toPage(await read({ cursor, limit: MAX_ROWS + 1 }), { limit: MAX_ROWS, cursorOf });
  }
}
