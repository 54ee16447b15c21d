import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleConfig } from '../console.config';
import { Access } from '../http/route-access';
import { textField } from '../http/text-field';
import { CurrentSession } from '../session/current-session.decorator';
import type { Session } from '../session/sessions';
import { OpenPortal } from './open-portal.use-case';
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
    return this.view(await this.signIn.execute(request, reply, apiKey));
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
    return this.view(await this.openPortalUseCase.execute(request, reply, token));
  }

  @Delete()
  async end(
    @CurrentSession() session: Session,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CustomerSession> {
    await this.signOut.execute(session, reply);
    return this.view(null);
  }

  private view(session: Session | null): CustomerSession {
    return toCustomerSession(session, this.config.apiBaseUrl);
  }
}
