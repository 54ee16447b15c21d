import { Injectable } from '@nestjs/common';
import type { OperatorAction } from '@kinora/contracts/billing/operator-action';
import { AccountRepository } from '../../account/account.repository';
import { AuditTrail } from '../../operator/audit-trail';

/** Lists what operators have done to an account, newest first. */
@Injectable()
export class ListActions {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly auditTrail: AuditTrail,
  ) {}

  async execute({ account_id }: { account_id: string }): Promise<{ data: OperatorAction[] }> {
    await this.accounts.assertExists(account_id);
    return { data: await this.auditTrail.list(account_id) };
  }
}
