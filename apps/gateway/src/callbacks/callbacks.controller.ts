import { Controller, HttpCode, HttpStatus, Param, Post, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { Door } from '../http/route-policy';
import { ForwardCallback } from './forward-callback.use-case';

/** Notifications of backends are small; one that repeats the images of its request is refused, and its work found by a look. */
const CALLBACK_MAX_BYTES = 1024 * 1024;

/** Where compute backends tell of their work. No client calls here, so the reference does not describe it. */
@Controller('callbacks')
export class CallbacksController {
  constructor(private readonly forwardCallback: ForwardCallback) {}

  @Post(':provider/:token')
  @HttpCode(HttpStatus.OK)
  @Door({ access: 'public', takesBytes: true, bodyMaxBytes: CALLBACK_MAX_BYTES })
  async receive(
    @Param('provider') provider: string,
    @Param('token') token: string,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.forwardCallback.execute(provider, token, request);
  }
}
