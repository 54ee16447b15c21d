import { Controller, Get, Head, Req, Res } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ObjectNotFound, type ObjectStat, ObjectStore, UrlSigner } from '@kinora/object-store';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { RoutePolicy } from '../http/route-policy';
import { toFileResponse } from './file-response';

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
    const { key, file } = await this.find(request);
    const { status, headers, range } = toFileResponse(key, file, request.headers);
    reply.status(status).headers(headers);
    if (status === 416) return void reply.send();
    const { stream } = await this.objects.open(key, range).catch(asMissing);
    reply.send(stream);
  }

  @Head('*')
  @RoutePolicy({ access: 'signed', query: ['expires', 'signature'] })
  async describe(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { key, file } = await this.find(request);
    reply.headers(toFileResponse(key, file, {}).headers).send();
  }

  private async find(request: FastifyRequest): Promise<{ key: string; file: ObjectStat }> {
    const [path = ''] = request.originalUrl.split('?', 1);
    const link = this.signer.verify(path, request.query as Record<string, unknown>, new Date());
    if (typeof link === 'string') throw noSuchFile();
    const file = await this.objects.stat(link.key);
    if (file === null) throw noSuchFile();
    return { key: link.key, file };
  }
}

function asMissing(error: unknown): never {
  throw error instanceof ObjectNotFound ? noSuchFile() : error;
}

/** Forged links, expired links and deleted files get the same response, so that it reveals nothing. */
function noSuchFile(): ApiError {
  return new ApiError('not_found', 'There is no such file, or the link to it has expired.');
}
