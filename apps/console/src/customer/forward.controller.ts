import { Controller, Delete, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../http/route-access';
import { ForwardRequest } from './forwarding/forward-request.use-case';
import { type MediaParams, SendMedia } from './media/send-media.use-case';

/** The part of the public API that the pages use (`forwarded-routes.ts`). Nest gives a route of `@All` no configuration. */
@Controller('admin/v1/customer')
export class ForwardController {
  constructor(private readonly forwardRequest: ForwardRequest) {}

  @Get('*')
  @Access({ streamsBody: true })
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.forwardRequest.execute(request, reply);
  }

  @Post('*')
  @Access({ streamsBody: true })
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.forwardRequest.execute(request, reply);
  }

  @Delete('*')
  @Access({ streamsBody: true })
  delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.forwardRequest.execute(request, reply);
  }
}

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
