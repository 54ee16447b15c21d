import { Injectable } from '@nestjs/common';
import type { KeyCaller } from '@kinora/contracts/billing/self-service.rpc';
import { Database, type Queryable } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertMayChange } from './key-rights';
import { type CallingKey, ManagedKeyRepository } from './managed-key.repository';

/** What a change records in the audit trail, and what it answers. */
interface ChangeOutcome<Result> {
  record: { action: string; details: Record<string, unknown> };
  result: Result;
}

/**
 * Runs a change that a key makes to its account: under the lock of the account, with the present rights of the key, in one
 * transaction with its record in the audit trail. Changes of one account therefore happen one after another.
 */
@Injectable()
export class KeyChange {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly keys: ManagedKeyRepository,
    private readonly auditTrail: AuditTrail,
  ) {}

  /**
   * @param isLimited false for what must never wait, such as the revocation of a leaked key
   * @throws ApiError invalid_api_key, scope_required, rate_limited
   */
  execute<Result>(
    caller: KeyCaller,
    change: (transaction: Queryable, calling: CallingKey) => Promise<ChangeOutcome<Result>>,
    { isLimited = true }: { isLimited?: boolean } = {},
  ): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      await this.accounts.lock(transaction, caller.account_id);
      const calling = await this.keys.getCaller(caller, transaction);
      assertMayChange(calling);
      if (isLimited) await this.auditTrail.assertRoom(transaction, caller.account_id);
      const { record, result } = await change(transaction, calling);
      await this.auditTrail.recordOfKey(transaction, caller, record);
      return result;
    });
  }
}
