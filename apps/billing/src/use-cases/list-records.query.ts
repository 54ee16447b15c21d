import { Injectable } from '@nestjs/common';
import type { AccountListRequest, ApiKeyDetails, PaymentDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import type { OpenHold } from '@kinora/contracts/billing/billing.rpc';
import type { OperatorAction } from '@kinora/contracts/billing/operator-action';
import type { PartialList } from '@kinora/contracts/shared/page';
import { toPage } from '@kinora/bus';
import { AccountRepository } from '../account/account.repository';
import { ApiKeyRepository } from '../api-key/api-key.repository';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertEntryId, assertUuid } from '../operator/operator-input';
import { PaymentRepository } from '../payments/payment.repository';
import { HoldRepository } from '../wallet/hold.repository';

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

const MAX_HOLDS = 1_000;

/** Lists the open holds of an account, oldest first. */
@Injectable()
export class ListHolds {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly holds: HoldRepository,
  ) {}

  async execute({ account_id, cursor }: AccountListRequest): Promise<PartialList<OpenHold>> {
    assertUuid({ cursor }, 'cursor');
    await this.accounts.assertExists(account_id);
    const found = await this.holds.listOpenOfAccount(account_id, { cursor: cursor ?? null, limit: MAX_HOLDS + 1 });
    return toPage(found, { limit: MAX_HOLDS, cursorOf: ({ job_id }) => job_id });
  }
}

const MAX_KEYS = 1_000;

/** Lists an account's keys, newest first, including revoked and expired ones. */
@Injectable()
export class ListKeys {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly apiKeys: ApiKeyRepository,
  ) {}

  async execute({ account_id, cursor }: AccountListRequest): Promise<PartialList<ApiKeyDetails>> {
    assertUuid({ cursor }, 'cursor');
    await this.accounts.assertExists(account_id);
    const found = await this.apiKeys.list(account_id, { cursor: cursor ?? null, limit: MAX_KEYS + 1 });
    return toPage(found, { limit: MAX_KEYS, cursorOf: ({ api_key_id }) => api_key_id });
  }
}

const MAX_PAYMENTS = 1_000;

/** Lists the payments of an account, newest first, including failed ones. */
@Injectable()
export class ListPayments {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly payments: PaymentRepository,
  ) {}

  async execute({ account_id, cursor }: AccountListRequest): Promise<PartialList<PaymentDetails>> {
    assertUuid({ cursor }, 'cursor');
    await this.accounts.assertExists(account_id);
    const found = await this.payments.list(account_id, { cursor: cursor ?? null, limit: MAX_PAYMENTS + 1 });
    return toPage(found, { limit: MAX_PAYMENTS, cursorOf: ({ payment_id }) => payment_id });
  }
}
