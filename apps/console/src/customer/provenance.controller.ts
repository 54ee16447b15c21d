import type { Readable } from 'node:stream';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProvenanceCheck } from '@kinora/contracts/moderation/provenance.rpc';
import { Access } from '../http/route-access';
import { GatewayClient, type Requester } from './gateway/gateway-client';

/** All visitors together take no more of the gateway's permits than one session does. */
const VISITORS: Requester = { id: Buffer.from('visitors'), account_id: 'visitors' };

/** Checks where a file comes from, also for visitors who have not signed in. */
@Controller('admin/v1/provenance')
export class ProvenanceController {
  constructor(private readonly gateway: GatewayClient) {}

  /** The body is the file, under its own media type. */
  @Post('check')
  @Access({ session: 'open', streamsBody: true })
  async check(
    @Req() { headers, ip, body }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ProvenanceCheck> {
    const { 'content-type': type = '', 'content-length': length } = headers;
    const answer = await this.gateway.readJson({
      method: 'POST',
      path: '/v1/provenance/check',
      apiKey: null,
      session: VISITORS,
      headers: {
        'Content-Type': type,
        ...(length !== undefined && { 'Content-Length': length }),
        'X-Forwarded-For': ip,
      },
      ...(body !== undefined && { body: body as Readable }),
    });
    void reply.status(answer.status);
    return answer.body as ProvenanceCheck;
  }
}
