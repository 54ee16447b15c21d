import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { type MemberAccount, membersRpc } from '@kinora/contracts/billing/users.rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleConfig } from '../console.config';
import { textField } from '../http/body-fields';
import { CurrentSession } from '../session/session.hook';
import type { Session } from '../session/sessions';
import { KeyRights } from './key-rights';
import { PeopleSignIn } from './people-sign-in.use-case';
import { type CustomerSession, toCustomerSession } from './session.controller';

const ID_MAX_CHARS = 64;

/** The accounts of the member who has signed in. A session is one of one account, so a switch opens another session. */
@Controller('admin/v1/customer/accounts')
export class OwnAccountsController {
  constructor(
    private readonly rights: KeyRights,
    private readonly signIn: PeopleSignIn,
    private readonly config: ConsoleConfig,
  ) {}

  @Get()
  list(@CurrentSession() session: Session): Promise<{ data: MemberAccount[] }> {
    return this.rights.request(membersRpc.listAccounts, session, {});
  }

  @Post('switch')
  @HttpCode(200)
  async switch(
    @CurrentSession() session: Session,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<CustomerSession> {
    const account_id = textField(body, 'account_id', ID_MAX_CHARS);
    const member = await this.rights.request(membersRpc.switchAccount, session, { account_id });
    return toCustomerSession(await this.signIn.enter(request, reply, member), this.config);
  }
}
