import { Injectable } from '@nestjs/common';
import type { PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import {
  type Invitation,
  type InviteMemberRequest,
  type Member,
  MEMBER_ROLES,
  type MemberList,
  type MemberRole,
} from '@kinora/contracts/billing/users.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database, type Queryable } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { KeyProof, type ProvenKey } from '../api-key/key-proof';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertGiven, assertOneOf, assertOperator } from '../operator/operator-input';
import { LeaseRecall } from '../rate-limit/leases';
import { Invitations } from '../user/invitations';
import { UserRepository } from '../user/user.repository';

/** Invites people to an account by e-mail, for an operator. */
@Injectable()
export class InviteMember {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly invitations: Invitations,
    private readonly auditTrail: AuditTrail,
  ) {}

  /** The audit trail keeps no address, because it is never deleted. */
  async execute(request: InviteMemberRequest): Promise<Invitation> {
    assertOperator(request);
    await this.accounts.assertExists(request.account_id);
    return this.database.transaction(async (transaction) => {
      const { email: _email, ...recorded } = request;
      const invitation = await this.invitations.send(transaction, request.account_id, request);
      await this.auditTrail.record(transaction, 'invite_member', recorded);
      return invitation;
    });
  }
}

/** What owners change about the members of their account. Changes of one account happen one after another. */
@Injectable()
export class ManageMembers {
  constructor(
    private readonly database: Database,
    private readonly proof: KeyProof,
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly invitations: Invitations,
    private readonly auditTrail: AuditTrail,
    private readonly leaseRecall: LeaseRecall,
  ) {}

  async list(request: PresentedKeyRequest): Promise<MemberList> {
    const by = await this.proof.prove(request);
    // The key of a program shows no people, unless it administers the account.
    if (by.member_role === null) assertOwner(by);
    return this.read(this.database, by.account_id);
  }

  invite({ key_sha256, ...invited }: PresentedKeyRequest & { email: string; role: MemberRole }): Promise<MemberList> {
    return this.change({ key_sha256 }, async (transaction, { account_id }) => {
      const { role } = await this.invitations.send(transaction, account_id, invited);
      return { action: 'invite_member', details: { role } };
    });
  }

  cancelInvitation({ email, ...request }: PresentedKeyRequest & { email: string }): Promise<MemberList> {
    return this.change(request, async (transaction, { account_id }) => {
      await this.invitations.withdraw(transaction, account_id, email);
      return { action: 'cancel_invitation', details: {} };
    });
  }

  /** The member is signed out: the next session has the new role. */
  setRole({
    user_id,
    role,
    ...request
  }: PresentedKeyRequest & { user_id: string; role: MemberRole }): Promise<MemberList> {
    const given = { role };
    assertGiven(given, 'role');
    assertOneOf(given, 'role', MEMBER_ROLES);
    return this.change(request, async (transaction, { account_id }) => {
      const member = await this.getMember(transaction, account_id, user_id);
      if (role !== 'owner') await this.assertAnotherOwner(transaction, account_id, member);
      await this.users.setRole(transaction, account_id, user_id, role);
      if (member.role !== role) await this.users.revokeSessions(transaction, account_id, user_id);
      return { action: 'set_member_role', details: { user_id, role, former_role: member.role } };
    });
  }

  /** Of oneself: to leave the account, which every role may. */
  remove({ user_id, ...request }: PresentedKeyRequest & { user_id: string }): Promise<MemberList> {
    const remove = async (transaction: Queryable, { account_id }: ProvenKey) => {
      const member = await this.getMember(transaction, account_id, user_id);
      await this.assertAnotherOwner(transaction, account_id, member);
      await this.users.remove(transaction, account_id, user_id);
      await this.users.revokeSessions(transaction, account_id, user_id);
      return { action: 'remove_member', details: { user_id, former_role: member.role } };
    };
    return this.change(request, remove, { bySelf: user_id });
  }

  private async change(
    request: PresentedKeyRequest,
    make: (transaction: Queryable, by: ProvenKey) => Promise<{ action: string; details: Record<string, unknown> }>,
    { bySelf }: { bySelf?: string } = {},
  ): Promise<MemberList> {
    const { account_id } = await this.proof.getKey(request);
    const list = await this.database.transaction(async (transaction) => {
      await this.accounts.lock(transaction, account_id);
      // Again under the lock: the caller may have been removed meanwhile.
      const by = await this.proof.prove(request, transaction);
      if (bySelf === undefined || by.user_id !== bySelf) assertOwner(by);
      await this.auditTrail.assertRoom(transaction, account_id);
      await this.auditTrail.recordOfKey(transaction, by, await make(transaction, by));
      return this.read(transaction, account_id);
    });
    await this.leaseRecall.complete(account_id);
    return list;
  }

  private async read(on: Queryable, accountId: string): Promise<MemberList> {
    const members = await this.users.listMembers(on, accountId);
    return { members, invitations: await this.invitations.list(on, accountId) };
  }

  private async getMember(transaction: Queryable, accountId: string, userId: string): Promise<Member> {
    const member = (await this.users.listMembers(transaction, accountId)).find((each) => each.user_id === userId);
    if (member) return member;
    throw new ApiError('not_found', 'The account has no such member.', { param: 'user_id' });
  }

  private async assertAnotherOwner(transaction: Queryable, accountId: string, member: Member): Promise<void> {
    if (member.role !== 'owner') return;
    const owners = (await this.users.listMembers(transaction, accountId)).filter(({ role }) => role === 'owner');
    if (owners.length < 2) throw invalid('user_id', 'This is the only owner. Make another member an owner first');
  }
}

/** A member who is an owner, or a key of the scope `account` that no member's sign-in has made. @throws ApiError scope_required */
function assertOwner({ scope, member_role }: ProvenKey): void {
  if (scope === 'account' && (member_role === null || member_role === 'owner')) return;
  throw new ApiError('scope_required', 'Only an owner changes the members of the account.');
}

function invalid(param: string, problem: string): ApiError {
  return new ApiError('invalid_body', `${problem}.`, { param });
}
