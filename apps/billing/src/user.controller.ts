import { Controller } from '@nestjs/common';
import type { PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import {
  type Invitation,
  type InviteMemberRequest,
  type MemberAccount,
  type MemberList,
  type MemberRole,
  type MemberSession,
  membersRpc,
  type RequestLinkRequest,
  type ShownUserLink,
  type SignInAtProviderRequest,
  type SignInUserRequest,
  type UseLinkRequest,
  type UserLinkRequest,
  usersAdminRpc,
  usersRpc,
} from '@kinora/contracts/billing/users.rpc';
import { Handles } from '@kinora/bus';
import { DeleteUser } from './use-cases/delete-user.use-case';
import { InviteMember, ManageMembers } from './use-cases/manage-members.use-case';
import { RequestUserLink } from './use-cases/request-user-link.use-case';
import { SignInUser } from './use-cases/sign-in-user.use-case';
import { SwitchAccount } from './use-cases/switch-account.use-case';
import { UseUserLink } from './use-cases/use-user-link.use-case';

/** Serves people who sign up and sign in at the console. */
@Controller()
export class UserController {
  constructor(
    private readonly requestUserLink: RequestUserLink,
    private readonly useUserLink: UseUserLink,
    private readonly signInUser: SignInUser,
  ) {}

  @Handles(usersRpc.requestLink)
  requestLink(request: RequestLinkRequest): Promise<Record<string, never>> {
    return this.requestUserLink.execute(request);
  }

  @Handles(usersRpc.showLink)
  showLink(request: UserLinkRequest): Promise<ShownUserLink> {
    return this.useUserLink.show(request);
  }

  @Handles(usersRpc.useLink)
  useLink(request: UseLinkRequest): Promise<MemberSession> {
    return this.useUserLink.execute(request);
  }

  @Handles(usersRpc.findSalt)
  findSalt(request: { email: string }): Promise<{ salt: string | null }> {
    return this.signInUser.findSalt(request);
  }

  @Handles(usersRpc.signInAtProvider)
  signInAtProvider(request: SignInAtProviderRequest): Promise<MemberSession> {
    return this.useUserLink.enterFromProvider(request);
  }

  @Handles(usersRpc.signIn)
  signIn(request: SignInUserRequest): Promise<MemberSession> {
    return this.signInUser.execute(request);
  }
}

/** Serves what an account changes about its members. The key that the request proves decides the account. */
@Controller()
export class MembersController {
  constructor(
    private readonly members: ManageMembers,
    private readonly switchAccountUseCase: SwitchAccount,
  ) {}

  @Handles(membersRpc.list)
  list(request: PresentedKeyRequest): Promise<MemberList> {
    return this.members.list(request);
  }

  @Handles(membersRpc.invite)
  invite(request: PresentedKeyRequest & { email: string; role: MemberRole }): Promise<MemberList> {
    return this.members.invite(request);
  }

  @Handles(membersRpc.cancelInvitation)
  cancelInvitation(request: PresentedKeyRequest & { email: string }): Promise<MemberList> {
    return this.members.cancelInvitation(request);
  }

  @Handles(membersRpc.setRole)
  setRole(request: PresentedKeyRequest & { user_id: string; role: MemberRole }): Promise<MemberList> {
    return this.members.setRole(request);
  }

  @Handles(membersRpc.remove)
  remove(request: PresentedKeyRequest & { user_id: string }): Promise<MemberList> {
    return this.members.remove(request);
  }

  @Handles(membersRpc.listAccounts)
  async listAccounts(request: PresentedKeyRequest): Promise<{ data: MemberAccount[] }> {
    return { data: await this.switchAccountUseCase.list(request) };
  }

  @Handles(membersRpc.switchAccount)
  switchAccount(request: PresentedKeyRequest & { account_id: string }): Promise<MemberSession> {
    return this.switchAccountUseCase.execute(request);
  }
}

/** Serves the operators' requests about people. */
@Controller()
export class UserAdminController {
  constructor(
    private readonly inviteMember: InviteMember,
    private readonly deleteUserUseCase: DeleteUser,
  ) {}

  @Handles(usersAdminRpc.invite)
  invite(request: InviteMemberRequest): Promise<Invitation> {
    return this.inviteMember.execute(request);
  }

  @Handles(usersAdminRpc.deleteUser)
  deleteUser(request: {
    email: string;
    actor?: string;
    reason?: string;
  }): Promise<{ user_id: string; accounts: string[] }> {
    return this.deleteUserUseCase.execute(request);
  }
}
