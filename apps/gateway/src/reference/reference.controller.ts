import { Controller, Get, HttpStatus, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { RoutePolicy } from '../http/route-policy';
import { REFERENCE_PATHS, isCurrent, readReferenceFiles } from './reference-files';

/** The page reads it: it names the document that the page shows. */
const QUERY = ['document'];

/** Serves the API references, for programs (/openapi.json, /openai/openapi.json) and for people (/docs). */
@Controller()
export class ReferenceController {
  private readonly files = readReferenceFiles();

  @Get(REFERENCE_PATHS)
  @RoutePolicy({ access: 'public', query: QUERY })
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const path = request.routeOptions.url?.slice(1) ?? '';
    const file = this.files.get(path);
    if (!file) throw new Error(`${path} is routed to ReferenceController, but is not a file of the reference.`);
    reply.headers(file.headers);
    if (isCurrent(file, request.headers['if-none-match'])) return void reply.status(HttpStatus.NOT_MODIFIED).send();
    reply.send(file.bytes);
  }
}
