import { Body, Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../../http/route-access';
import { emailField, textField } from '../../http/body-fields';
import { CurrentExchange, CurrentSession, type Exchange } from '../../session/session.hook';
import { type Session, Sessions } from '../../session/sessions';
import { PASSWORD_MAX_CHARS } from '../../session/password';
import { Requires } from '../users/permissions';
import { OperatorSignIn, type SignedIn } from './operator-sign-in';
import { type OperatorSession, toOperatorSession } from './session-view';

const TOKEN_MAX_CHARS = 200;

/** Signs operators in and out. */
@Controller('admin/v1/operator')
export class OperatorSessionController {
  constructor(
    private readonly signIn: OperatorSignIn,
    private readonly sessions: Sessions,
  ) {}

  @Get('session')
  @Access({ session: 'open' })
  async show(@Req() { session }: FastifyRequest): Promise<OperatorSession> {
    return this.present(await this.signIn.show(session));
  }

  @Post('session')
  @HttpCode(200)
  @Access({ session: 'open' })
  async open(@CurrentExchange() { request, reply }: Exchange, @Body() body: unknown): Promise<OperatorSession> {
    const credentials = { email: emailField(body), password: textField(body, 'password', PASSWORD_MAX_CHARS) };
    return this.present(await this.signIn.open(request, reply, credentials));
  }

  @Post('session/confirm')
  @HttpCode(200)
  @Requires('view')
  async confirm(@CurrentSession() session: Session, @Body() body: unknown): Promise<OperatorSession> {
    return this.present(await this.signIn.confirm(session, textField(body, 'password', PASSWORD_MAX_CHARS)));
  }

  @Post('setup')
  @HttpCode(200)
  @Access({ session: 'open' })
  async setUp(@CurrentExchange() { request, reply }: Exchange, @Body() body: unknown): Promise<OperatorSession> {
    const token = textField(body, 'token', TOKEN_MAX_CHARS);
    const credentials = { email: emailField(body), password: textField(body, 'password', PASSWORD_MAX_CHARS), token };
    return this.present(await this.signIn.setUp(request, reply, credentials));
  }

  @Delete('session')
  @Requires('view')
  async end(@CurrentSession() session: Session, @CurrentExchange() { reply }: Exchange): Promise<OperatorSession> {
    await this.sessions.end(session, reply);
    return this.present(null);
  }

  private async present(signedIn: SignedIn | null): Promise<OperatorSession> {
    return toOperatorSession(signedIn, await this.signIn.listWays());
  }
}
