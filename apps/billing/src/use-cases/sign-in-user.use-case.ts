import { Injectable } from '@nestjs/common';
import type { MemberSession, SignInUserRequest } from '@kinora/contracts/billing/users.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { isPasswordOf, MemberSessions } from '../user/member-sessions';
import { UserRepository } from '../user/user.repository';

/** Opens a session by e-mail and password, in the account that the user joined last. */
@Injectable()
export class SignInUser {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly sessions: MemberSessions,
  ) {}

  /** For the console, which derives the password: scrypt takes a core, and billing admits every request of the API. */
  async findSalt({ email }: { email: string }): Promise<{ salt: string | null }> {
    return { salt: (await this.users.find(email.toLowerCase()))?.password_salt ?? null };
  }

  /** @throws ApiError not_found for every reason */
  async execute({ email, derived }: SignInUserRequest): Promise<MemberSession> {
    const user = await this.users.find(email.toLowerCase());
    if (!isPasswordOf(user, derived) || !user) throw refused();
    return this.database.transaction(async (transaction) => {
      const membership = await this.users.findMembership(transaction, user.id);
      if (!membership) throw refused();
      const session = await this.sessions.open(transaction, user, membership.account_id);
      // Under the lock of the account, with which a new password ends the sessions of the former one.
      if (!isPasswordOf(await this.users.find(user.email, transaction), derived)) throw refused();
      return session;
    });
  }
}

function refused(): ApiError {
  return new ApiError('not_found', 'The e-mail address or the password is not valid.');
}
