import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleConfig } from '../console.config';
import { Access } from '../http/route-access';
import { textField } from '../http/text-field';
import { CurrentSession } from '../session/current-session.decorator';
import type { Session } from '../session/sessions';
import { OpenPortal } from './open-portal.use-case';
import { PortalKeys } from './portal-keys';
import { type CustomerSession, toCustomerSession } from './session-view';
import { SignIn } from './sign-in.use-case';
import { SignOut } from './sign-out.use-case';

const SECRET_MAX_CHARS = 200;

/** Signs customers in and out. */
@Controller('admin/v1/session')
export class SessionController {
  constructor(
    private readonly config: ConsoleConfig,
    private readonly signIn: SignIn,
    private readonly openPortalUseCase: OpenPortal,
    private readonly signOut: SignOut,
    private readonly portalKeys: PortalKeys,
  ) {}

  @Get()
  @Access({ session: 'open' })
  show(@Req() { session }: FastifyRequest): CustomerSession {
    return this.view(session);
  }

  @Post()
  @HttpCode(200)
  @Access({ session: 'open' })
  async open(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<CustomerSession> {
    const apiKey = textField(body, 'api_key', SECRET_MAX_CHARS).trim();
    return this.replace(request, await this.signIn.execute(request, reply, apiKey));
  }

  @Post('portal')
  @HttpCode(200)
  @Access({ session: 'open' })
  async openPortal(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<CustomerSession> {
    const token = textField(body, 'token', SECRET_MAX_CHARS);
    return this.replace(request, await this.openPortalUseCase.execute(request, reply, token));
  }

  @Delete()
  async end(
    @CurrentSession() session: Session,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CustomerSession> {
    await this.signOut.execute(session, reply);
    return this.view(null);
  }

  /** The session that the browser had before has ended with the new one. */
  private async replace({ session: before }: FastifyRequest, session: Session): Promise<CustomerSession> {
    if (before) await this.portalKeys.revokeOf(before, before);
    return this.view(session);
  }

  private view(session: Session | null): CustomerSession {
    return toCustomerSession(session, this.config.apiBaseUrl);
  }
}
