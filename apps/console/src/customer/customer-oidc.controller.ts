import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignInAtProviderRequest } from '@kinora/contracts/billing/users.rpc';
import { ConsoleConfig } from '../console.config';
import { Access } from '../http/route-access';
import { OpenIdClient, type Proof } from '../oidc/open-id-client';
import { AttemptLimits } from '../session/attempt-limits';
import { PeopleSignIn } from './people-sign-in.use-case';

const CALLBACK = '/admin/v1/oidc/callback';

/** The sign-in of customers at an identity provider. Both addresses are fixed, so neither redirects where a client names. */
@Controller('admin/v1/oidc')
export class CustomerOidcController {
  private readonly client: OpenIdClient;

  constructor(
    config: ConsoleConfig,
    private readonly limits: AttemptLimits,
    private readonly signIn: PeopleSignIn,
  ) {
    this.client = new OpenIdClient({
      issuer: config.customerOidcIssuer,
      clientId: config.customerOidcClientId,
      clientSecret: config.customerOidcClientSecret,
      callbackUrl: config.origin + CALLBACK,
      cookie: 'kinora-customer-oidc',
      isSecure: config.isSecure,
    });
  }

  @Get('start')
  @Access({ session: 'open' })
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.limits.count(request.ip);
    await reply.redirect(await this.client.begin(reply), 302);
  }

  @Get('callback')
  @Access({ session: 'open' })
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.limits.count(request.ip);
    await this.signIn.enterFromProvider(request, reply, async () => proven(await this.client.finish(request, reply)));
    await reply.redirect('/', 302);
  }
}

/** An address counts only where the provider says that it has checked it. */
function proven(proof: Proof | null): SignInAtProviderRequest | null {
  if (typeof proof?.claims.email !== 'string' || proof.claims.email_verified !== true) return null;
  const { iss, sub, email } = proof.claims;
  return { subject: `${iss} ${sub}`, email: email.toLowerCase() };
}
