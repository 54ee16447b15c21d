import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { EmailRepository } from '../email/email.repository';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertOperator } from '../operator/operator-input';
import { LeaseRecall } from '../rate-limit/leases';
import { readEmail } from '../user/email-address';
import { UserLinkRepository } from '../user/user-link.repository';
import { UserRepository } from '../user/user.repository';

/** Deletes a person. Accounts stay, with their books; the audit trail names the id alone. */
@Injectable()
export class DeleteUser {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly links: UserLinkRepository,
    private readonly emails: EmailRepository,
    private readonly auditTrail: AuditTrail,
    private readonly leaseRecall: LeaseRecall,
  ) {}

  async execute(request: { email: string; actor?: string; reason?: string }) {
    assertOperator(request);
    const { email: given, ...by } = request;
    const email = readEmail(given);
    const deleted = await this.database.transaction(async (transaction) => {
      const user = await this.users.find(email, transaction);
      if (!user) throw new ApiError('not_found', 'There is no user with this address.', { param: 'email' });
      const accounts = (await this.users.listAccounts(transaction, user.id)).map(({ account_id }) => account_id);
      for (const account_id of accounts) {
        await this.accounts.lock(transaction, account_id);
        await this.users.revokeSessions(transaction, account_id, user.id);
        await this.auditTrail.record(transaction, 'delete_user', { account_id, ...by, user_id: user.id });
      }
      await this.users.delete(transaction, user.id);
      await this.links.deleteTo(transaction, email);
      await this.emails.deleteTo(transaction, email);
      return { user_id: user.id, accounts };
    });
    for (const accountId of deleted.accounts) await this.leaseRecall.complete(accountId);
    return deleted;
  }
}
