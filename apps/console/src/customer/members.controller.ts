import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { MEMBER_ROLES, type MemberList, membersRpc } from '@kinora/contracts/billing/users.rpc';
import { emailField, oneOfField, textField } from '../http/body-fields';
import { CurrentSession } from '../session/session.hook';
import type { Session } from '../session/sessions';
import { KeyRights } from './key-rights';

const ID_MAX_CHARS = 64;

/** Who works in the account. Billing decides by the session's key, and records every change in the audit trail. */
@Controller('admin/v1/customer/members')
export class MembersController {
  constructor(private readonly rights: KeyRights) {}

  @Get()
  list(@CurrentSession() session: Session): Promise<MemberList> {
    return this.rights.request(membersRpc.list, session, {});
  }

  @Post()
  @HttpCode(200)
  invite(@CurrentSession() session: Session, @Body() body: unknown): Promise<MemberList> {
    const invited = { email: emailField(body), role: oneOfField(body, 'role', MEMBER_ROLES) };
    return this.rights.request(membersRpc.invite, session, invited);
  }

  @Post('withdraw')
  @HttpCode(200)
  withdraw(@CurrentSession() session: Session, @Body() body: unknown): Promise<MemberList> {
    return this.rights.request(membersRpc.cancelInvitation, session, { email: emailField(body) });
  }

  @Post('role')
  @HttpCode(200)
  setRole(@CurrentSession() session: Session, @Body() body: unknown): Promise<MemberList> {
    const change = { user_id: textField(body, 'user_id', ID_MAX_CHARS), role: oneOfField(body, 'role', MEMBER_ROLES) };
    return this.rights.request(membersRpc.setRole, session, change);
  }

  @Post('remove')
  @HttpCode(200)
  remove(@CurrentSession() session: Session, @Body() body: unknown): Promise<MemberList> {
    return this.rights.request(membersRpc.remove, session, { user_id: textField(body, 'user_id', ID_MAX_CHARS) });
  }
}
