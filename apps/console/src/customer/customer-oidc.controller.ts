import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignInAtProviderRequest } from '@kinora/contracts/billing/users.rpc';
import { ConsoleConfig } from '../console.config';
import { Access } from '../http/route-access';
import { ExpectedCookie } from '../oidc/expected-cookie';
import { type Expected, OpenIdClient } from '../oidc/open-id-client';
import { AttemptLimits } from '../session/attempt-limits';
import { PeopleSignIn } from './people-sign-in.use-case';

const CALLBACK = '/admin/v1/oidc/callback';

/** The sign-in of customers at an identity provider. Both addresses are fixed, so neither redirects where a client names. */
@Controller('admin/v1/oidc')
export class CustomerOidcController {
  private readonly client: OpenIdClient;
  private readonly cookie: ExpectedCookie;

  constructor(
    config: ConsoleConfig,
    private readonly limits: AttemptLimits,
    private readonly signIn: PeopleSignIn,
  ) {
    const {
      customerOidcIssuer: issuer,
      customerOidcClientId: clientId,
      customerOidcClientSecret: clientSecret,
    } = config;
    this.client = new OpenIdClient({ issuer, clientId, clientSecret, callbackUrl: config.origin + CALLBACK });
    this.cookie = new ExpectedCookie('kinora-customer-oidc', config.isSecure);
  }

  @Get('start')
  @Access({ session: 'open' })
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.limits.count(request.ip);
    const { url, expected } = await this.client.begin(false);
    this.cookie.set(reply, expected);
    await reply.redirect(url, 302);
  }

  @Get('callback')
  @Access({ session: 'open' })
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.limits.count(request.ip);
    const expected = this.cookie.read(request);
    this.cookie.set(reply, null);
    const [, query = ''] = request.url.split('?', 2);
    await this.signIn.enterFromProvider(request, reply, async () => expected && this.prove(query, expected));
    await reply.redirect('/', 302);
  }

  /** An address counts only where the provider says that it has checked it. */
  private async prove(query: string, expected: Expected): Promise<SignInAtProviderRequest | null> {
    const claims = await this.client.finish(query, expected);
    if (!claims || typeof claims.email !== 'string' || claims.email_verified !== true) return null;
    return { subject: `${claims.iss} ${claims.sub}`, email: claims.email.toLowerCase() };
  }
}
