import { Injectable } from '@nestjs/common';
import { type Invitation, MEMBER_ROLES, type MemberRole } from '@kinora/contracts/billing/users.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Queryable } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { BillingConfig } from '../billing.config';
import { Emails } from '../email/emails';
import { assertGiven, assertOneOf } from '../operator/operator-input';
import { readEmail } from './email-address';
import { invitationEmail, LINK_TTL_SECONDS, pathOf } from './link-emails';
import { UserLinkRepository } from './user-link.repository';
import { UserRepository } from './user.repository';

/** Of an account, in a day: the service must not become a sender of unwanted e-mail. */
const PER_DAY = 20;
const DAY_SECONDS = 24 * 60 * 60;

/** Links by which people join an account. */
@Injectable()
export class Invitations {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly links: UserLinkRepository,
    private readonly emails: Emails,
    private readonly config: BillingConfig,
  ) {}

  /** Replaces an earlier one of the same person. @throws ApiError invalid_body, rate_limited */
  async send(
    transaction: Queryable,
    accountId: string,
    request: { email: string; role: MemberRole },
  ): Promise<Invitation> {
    assertGiven(request, 'role');
    assertOneOf(request, 'role', MEMBER_ROLES);
    const { role } = request;
    const email = readEmail(request.email);
    if (this.config.signUp.mode === 'off' || this.emails.transport === null)
      throw refused('Invitations are not possible: the operator has switched users off, or e-mail is not set up');
    await this.accounts.lock(transaction, accountId);
    if ((await this.users.listMembers(transaction, accountId)).some((member) => member.email === email))
      throw refused('This person is a member already');
    if ((await this.links.count(transaction, { account_id: accountId })) >= PER_DAY)
      throw new ApiError('rate_limited', `An account may send ${PER_DAY} invitations a day.`, {
        retry_after_seconds: DAY_SECONDS,
      });
    await this.links.withdrawInvitation(transaction, accountId, email);
    const { token, expires_at } = await this.links.insert(transaction, {
      purpose: 'invitation',
      email,
      invitation: { account_id: accountId, role },
      ttlSeconds: LINK_TTL_SECONDS.invitation,
    });
    const content = invitationEmail(this.emails.linkTo(pathOf('invitation', token)), role);
    await this.emails.queue(transaction, { kind: 'invitation', recipient: email, account_id: accountId, content });
    return { email, role, expires_at: expires_at.toISOString() };
  }

  /** @throws ApiError not_found */
  async withdraw(transaction: Queryable, accountId: string, email: string): Promise<void> {
    if (await this.links.withdrawInvitation(transaction, accountId, readEmail(email))) return;
    throw new ApiError('not_found', 'There is no such invitation.', { param: 'email' });
  }

  /** Those that wait. */
  async list(on: Queryable, accountId: string): Promise<Invitation[]> {
    return (await this.links.listInvitations(on, accountId)).flatMap(({ email, role, expires_at }) =>
      role === null ? [] : [{ email, role, expires_at: expires_at.toISOString() }],
    );
  }
}

function refused(problem: string): ApiError {
  return new ApiError('invalid_body', `${problem}.`, { param: 'email' });
}
