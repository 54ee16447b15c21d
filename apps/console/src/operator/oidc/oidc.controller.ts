import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../http/route-access';
import { OidcSignIn } from './oidc-sign-in';

/** The way to the identity provider and back. Both addresses are fixed, so neither redirects where a client names. */
@Controller('admin/v1/operator/oidc')
export class OidcController {
  constructor(private readonly signIn: OidcSignIn) {}

  @Get('start')
  @Access({ session: 'open' })
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await reply.redirect(await this.signIn.begin(request, reply), 302);
  }

  @Get('callback')
  @Access({ session: 'open' })
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.signIn.finish(request, reply);
    await reply.redirect('/operator', 302);
  }
}
