import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ObjectStore, UrlSigner } from '@kinora/object-store';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { RoutePolicy } from '../http/route-policy';
import { sendFile } from './send-file';

/** Downloads: a signed link grants access to its one file until the link expires. */
@Controller('files')
export class FilesController {
  constructor(
    private readonly objects: ObjectStore,
    private readonly signer: UrlSigner,
  ) {}

  @Get('*')
  @RoutePolicy({ access: 'signed', query: ['expires', 'signature'] })
  async download(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await sendFile(reply, this.keyOf(request), this.objects, noSuchFile);
  }

  private keyOf(request: FastifyRequest): string {
    const [path = ''] = request.originalUrl.split('?', 1);
    const link = this.signer.verify(path, request.query as Record<string, unknown>, new Date());
    if (typeof link === 'string') throw noSuchFile();
    return link.key;
  }
}

/** Forged links, expired links and deleted files get the same response, so that it reveals nothing. */
function noSuchFile(): ApiError {
  return new ApiError('not_found', 'There is no such file, or the link to it has expired.');
}
