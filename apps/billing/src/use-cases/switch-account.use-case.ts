import { Injectable } from '@nestjs/common';
import type { PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import type { MemberAccount, MemberSession } from '@kinora/contracts/billing/users.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { KeyProof } from '../api-key/key-proof';
import { MemberSessions } from '../user/member-sessions';
import { UserRepository } from '../user/user.repository';

/** Opens another account of the member whose session proves its key. The session gets the role that the member has there. */
@Injectable()
export class SwitchAccount {
  constructor(
    private readonly database: Database,
    private readonly proof: KeyProof,
    private readonly users: UserRepository,
    private readonly sessions: MemberSessions,
  ) {}

  /** None for the key of a program. */
  async list(request: PresentedKeyRequest): Promise<MemberAccount[]> {
    const { user_id } = await this.proof.prove(request);
    if (user_id === null) return [];
    const accounts = await this.users.listAccounts(this.database, user_id);
    return accounts.map(({ account_id, name, role }) => ({ account_id, name, role }));
  }

  /** @throws ApiError not_found */
  async execute({ account_id, ...request }: PresentedKeyRequest & { account_id: string }): Promise<MemberSession> {
    const { user_id } = await this.proof.prove(request);
    return this.database.transaction(async (transaction) => {
      const accounts = user_id === null ? [] : await this.users.listAccounts(transaction, user_id);
      const chosen = accounts.find((account) => account.account_id === account_id);
      if (user_id === null || !chosen)
        throw new ApiError('not_found', 'You are no member of this account.', { param: 'account_id' });
      return this.sessions.open(transaction, { id: user_id, email: chosen.email }, account_id);
    });
  }
}
