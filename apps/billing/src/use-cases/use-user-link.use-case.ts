import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type {
  MemberSession,
  ShownUserLink,
  SignInAtProviderRequest,
  UseLinkRequest,
} from '@kinora/contracts/billing/users.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database, type Queryable } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertVisibleText, MAX_NAME_LENGTH } from '../operator/operator-input';
import { readEmail } from '../user/email-address';
import { isPasswordOf, MemberSessions, toStoredPassword } from '../user/member-sessions';
import { SignUpAccounts } from '../user/sign-up-accounts';
import { type UserLink, UserLinkRepository } from '../user/user-link.repository';
import { type Membership, type UserRow, UserRepository } from '../user/user.repository';

const SHA256_HEX = /^[0-9a-f]{64}$/;

/** Uses up a link of an e-mail: it proves the address, so it makes the user, or sets the password. */
@Injectable()
export class UseUserLink {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly links: UserLinkRepository,
    private readonly accounts: AccountRepository,
    private readonly signUps: SignUpAccounts,
    private readonly sessions: MemberSessions,
    private readonly auditTrail: AuditTrail,
  ) {}

  /** @throws ApiError not_found */
  async show({ token_sha256 }: { token_sha256: string }): Promise<ShownUserLink> {
    const link = await this.links.find(toHash(token_sha256));
    if (!link) throw noSuchLink();
    const { purpose, email, role } = link;
    const user = purpose === 'invitation' ? await this.users.find(email) : null;
    return { purpose, email, role, salt: user?.password_salt ?? null };
  }

  /** @throws ApiError not_found, also for a wrong password of a known user, which leaves the link unused */
  async execute(request: UseLinkRequest): Promise<MemberSession> {
    assertVisibleText(request, 'account_name', { min: 1, max: MAX_NAME_LENGTH });
    const password = toStoredPassword(request.password);
    return this.database.transaction(async (transaction) => {
      const link = await this.links.take(transaction, toHash(request.token_sha256));
      if (!link) throw noSuchLink();
      const known = await this.users.find(link.email, transaction);
      const isKept = link.purpose === 'invitation' && known !== null && known.password_hash !== null;
      if (isKept && !isPasswordOf(known, request.password.derived)) throw noSuchLink();
      const fresh = { id: known?.id ?? uuidv7(), email: link.email, ...password };
      const user = isKept && known ? known : await this.users.save(transaction, fresh);
      // An older link could replace the password.
      if (!isKept) await this.links.withdraw(transaction, link.email);
      return this.sessions.open(transaction, user, await this.join(transaction, user, link, request.account_name));
    });
  }

  /** The provider has proven the address. @throws ApiError not_found */
  async enterFromProvider({ subject, email: given }: SignInAtProviderRequest): Promise<MemberSession> {
    const email = readEmail(given);
    return this.database.transaction(async (transaction) => {
      const known = await this.users.findBySubject(transaction, subject);
      const isOpen = this.signUps.areOpen;
      const user = known ?? (isOpen ? await this.users.insertOfProvider(transaction, uuidv7(), email, subject) : null);
      if (!user) throw new ApiError('not_found', 'There is no such user.');
      const membership = await this.users.findMembership(transaction, user.id);
      if (!membership && !isOpen) throw new ApiError('not_found', 'There is no such user.');
      const accountId = membership?.account_id ?? (await this.signUps.open(transaction, user, 'My account'));
      return this.sessions.open(transaction, user, accountId);
    });
  }

  /** @returns the account to open */
  private async join(
    transaction: Queryable,
    user: UserRow,
    { purpose, account_id, role }: UserLink,
    accountName: string | undefined,
  ): Promise<string> {
    if (purpose === 'invitation' && account_id !== null && role !== null)
      return this.accept(transaction, user, { account_id, role });
    if (purpose === 'reset') await this.endSessions(transaction, user);
    const known = await this.users.findMembership(transaction, user.id);
    if (known) return known.account_id;
    // A user who was removed from the last account may begin again where sign-up is open.
    if (purpose === 'reset' && !this.signUps.areOpen) throw noSuchLink();
    return this.signUps.open(transaction, user, accountName ?? 'My account');
  }

  private async accept(transaction: Queryable, user: UserRow, invited: Membership): Promise<string> {
    const { account_id, role } = invited;
    await this.accounts.lock(transaction, account_id);
    await this.users.add(transaction, account_id, user.id, role);
    const actor = `member ${user.id}`;
    await this.auditTrail.record(transaction, 'accept_invitation', { account_id, actor, user_id: user.id, role });
    return account_id;
  }

  /** All sessions of the former password end. */
  private async endSessions(transaction: Queryable, { id }: UserRow): Promise<void> {
    for (const { account_id: accountId } of await this.users.listAccounts(transaction, id)) {
      await this.accounts.lock(transaction, accountId);
      await this.users.revokeSessions(transaction, accountId, id);
      await this.auditTrail.record(transaction, 'reset_password', { account_id: accountId, actor: `member ${id}` });
    }
  }
}

function toHash(sha256: string): Buffer {
  if (typeof sha256 !== 'string' || !SHA256_HEX.test(sha256)) throw noSuchLink();
  return Buffer.from(sha256, 'hex');
}

/** The same for a link that is unknown, used, withdrawn or expired. */
function noSuchLink(): ApiError {
  return new ApiError('not_found', 'The link is not valid: it was used before, or has expired.');
}
