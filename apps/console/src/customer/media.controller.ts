import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type MediaParams, SendMedia } from './media/send-media.use-case';

/** Outputs of jobs, as images and videos in a page. */
@Controller('media')
export class MediaController {
  constructor(private readonly sendMedia: SendMedia) {}

  @Get(':job/:n')
  send(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param() params: MediaParams,
    @Query('w') width?: string,
  ): Promise<void> {
    return this.sendMedia.execute(request, reply, params, width);
  }
}
