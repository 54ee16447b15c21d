import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ConsoleConfig } from '../console.config';
import { emailField, oneOfField, textField, valueOf } from '../http/body-fields';
import { Access } from '../http/route-access';
import { PASSWORD_MAX_CHARS } from '../session/password';
import { CurrentExchange, type Exchange } from '../session/session.hook';
import { PeopleSignIn, type ShownLink } from './people-sign-in.use-case';
import { type CustomerSession, toCustomerSession } from './session.controller';

const TOKEN_MAX_CHARS = 200;
const NAME_MAX_CHARS = 100;

/** Signs people up, and in by e-mail and password. Links in e-mail lead to pages, which send their token here. */
@Controller('admin/v1')
export class PeopleController {
  constructor(
    private readonly config: ConsoleConfig,
    private readonly signIn: PeopleSignIn,
  ) {}

  @Post('session/password')
  @HttpCode(200)
  @Access({ session: 'open' })
  async open(@CurrentExchange() { request, reply }: Exchange, @Body() body: unknown): Promise<CustomerSession> {
    const given = { email: emailField(body), password: textField(body, 'password', PASSWORD_MAX_CHARS) };
    return toCustomerSession(await this.signIn.open(request, reply, given), this.config);
  }

  /** The answer is the same whether or not an e-mail is sent. */
  @Post('links')
  @HttpCode(200)
  @Access({ session: 'open' })
  async request(@Req() request: FastifyRequest, @Body() body: unknown): Promise<{ requested: true }> {
    const purpose = oneOfField(body, 'purpose', ['sign_up', 'reset'] as const);
    await this.signIn.requestLink(request, { purpose, email: emailField(body) });
    return { requested: true };
  }

  @Post('links/show')
  @HttpCode(200)
  @Access({ session: 'open' })
  show(@Req() request: FastifyRequest, @Body() body: unknown): Promise<ShownLink> {
    return this.signIn.showLink(request, textField(body, 'token', TOKEN_MAX_CHARS));
  }

  @Post('links/use')
  @HttpCode(200)
  @Access({ session: 'open' })
  async use(@CurrentExchange() { request, reply }: Exchange, @Body() body: unknown): Promise<CustomerSession> {
    const token = textField(body, 'token', TOKEN_MAX_CHARS);
    const password = textField(body, 'password', PASSWORD_MAX_CHARS);
    const isNamed = valueOf(body, 'account_name') !== undefined;
    const name = isNamed ? { account_name: textField(body, 'account_name', NAME_MAX_CHARS) } : {};
    return toCustomerSession(await this.signIn.useLink(request, reply, { token, password, ...name }), this.config);
  }
}
