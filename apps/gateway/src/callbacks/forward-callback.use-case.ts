import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { FastifyRequest } from 'fastify';
import type { ReceivedBody } from '../http/received-body';

/** Forwards a backend's callback unchanged to the jobs service. */
@Injectable()
export class ForwardCallback {
  constructor(private readonly bus: Bus) {}

  /** @throws ApiError not_found for a callback that jobs rejects; capacity, after which the backend retries. */
  async execute(provider: string, { headers, body, callbackTarget }: FastifyRequest): Promise<void> {
    if (!callbackTarget)
      throw new Error('The request has no callbackTarget: ForwardCallback works only on routes with callback access.');
    await this.bus.request(jobsRpc.receiveCallback, {
      provider,
      job_id: callbackTarget.jobId,
      attempt_number: callbackTarget.attemptNumber,
      headers: Object.fromEntries(Object.entries(headers).filter(isSingle)),
      body_base64: toBytes(body).toString('base64'),
    });
  }
}

function isSingle(header: [string, unknown]): header is [string, string] {
  return typeof header[1] === 'string';
}

function toBytes(body: unknown): Buffer {
  const { value } = (body ?? {}) as Partial<ReceivedBody>;
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}
