import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts.module';
import { EmailsModule } from './emails.module';
import { StorageModule } from './storage.module';
import { DeleteUser } from './use-cases/delete-user.use-case';
import { InviteMember, ManageMembers } from './use-cases/manage-members.use-case';
import { RequestUserLink } from './use-cases/request-user-link.use-case';
import { SignInUser } from './use-cases/sign-in-user.use-case';
import { SwitchAccount } from './use-cases/switch-account.use-case';
import { UseUserLink } from './use-cases/use-user-link.use-case';
import { Invitations } from './user/invitations';
import { MemberSessions } from './user/member-sessions';
import { SignUpAccounts } from './user/sign-up-accounts';

const USE_CASES = [RequestUserLink, UseUserLink, SignInUser, SwitchAccount, InviteMember, ManageMembers, DeleteUser];

/** People: their sign-up, their passwords, and their roles in accounts. */
@Module({
  imports: [StorageModule, AccountsModule, EmailsModule],
  providers: [...USE_CASES, MemberSessions, SignUpAccounts, Invitations],
  exports: USE_CASES,
})
export class UsersModule {}
