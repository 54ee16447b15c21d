import { Controller, HttpCode, HttpStatus, Param, Post, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { CALLBACK_BODY_BYTES } from '../http/body-budget';
import { RoutePolicy } from '../http/route-policy';
import { ForwardCallback } from './forward-callback.use-case';

/** Receives callbacks of compute backends. Clients do not call it, so the API reference leaves it out. */
@Controller('callbacks')
export class CallbacksController {
  constructor(private readonly forwardCallback: ForwardCallback) {}

  @Post(':provider/:token')
  @HttpCode(HttpStatus.OK)
  @RoutePolicy({ access: 'callback', takesBytes: true, bodyMaxBytes: CALLBACK_BODY_BYTES })
  async receive(@Param('provider') provider: string, @Req() request: FastifyRequest): Promise<void> {
    await this.forwardCallback.execute(provider, request);
  }
}
