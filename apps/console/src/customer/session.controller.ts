import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../http/route-access';
import { textField } from '../http/text-field';
import { CurrentSession } from '../session/current-session.decorator';
import { type Session, Sessions } from '../session/sessions';
import { type CustomerSession, toCustomerSession } from './session-view';
import { SignIn } from './sign-in.use-case';

const API_KEY_MAX_CHARS = 200;

/** Signs customers in and out. */
@Controller('admin/v1/session')
export class SessionController {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
  ) {}

  @Get()
  @Access({ session: 'open' })
  show(@Req() { session }: FastifyRequest): CustomerSession {
    return toCustomerSession(session);
  }

  @Post()
  @HttpCode(200)
  @Access({ session: 'open' })
  async open(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<CustomerSession> {
    const apiKey = textField(body, 'api_key', API_KEY_MAX_CHARS);
    return toCustomerSession(await this.signIn.execute(request, reply, apiKey.trim()));
  }

  @Delete()
  async end(
    @CurrentSession() session: Session,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CustomerSession> {
    await this.sessions.end(session, reply);
    return toCustomerSession(null);
  }
}
