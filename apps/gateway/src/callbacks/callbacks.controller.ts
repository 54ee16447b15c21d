import { Controller, HttpCode, HttpStatus, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { Bus } from '@kinora/bus';
import { CALLBACK_BODY_BYTES } from '../http/body-budget';
import type { ReceivedBody } from '../http/received-body';
import { RoutePolicy } from '../http/route-policy';

/**
 * Forwards callbacks of compute backends unchanged to the jobs service. Clients do not call it, so the API reference leaves it
 * out.
 */
@Controller('callbacks')
export class CallbacksController {
  constructor(private readonly bus: Bus) {}

  /** @throws ApiError not_found for a callback that jobs rejects; capacity, after which the backend retries. */
  @Post(':provider/:token')
  @HttpCode(HttpStatus.OK)
  @RoutePolicy({ access: 'callback', takesBytes: true, bodyMaxBytes: CALLBACK_BODY_BYTES })
  async receive(
    @Param('provider') provider: string,
    @Req() { headers, body, callbackTarget }: FastifyRequest,
  ): Promise<void> {
    if (!callbackTarget) throw new Error('The request has no callbackTarget: the route needs callback access.');
    const { value } = (body ?? {}) as Partial<ReceivedBody>;
    await this.bus.request(jobsRpc.receiveCallback, {
      provider,
      job_id: callbackTarget.jobId,
      attempt_number: callbackTarget.attemptNumber,
      headers: Object.fromEntries(Object.entries(headers).filter(isSingle)),
      body_base64: Buffer.isBuffer(value) ? value.toString('base64') : '',
    });
  }
}

function isSingle(header: [string, unknown]): header is [string, string] {
  return typeof header[1] === 'string';
}
