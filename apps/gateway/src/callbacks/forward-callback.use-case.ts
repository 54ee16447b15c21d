import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { CallbackSigner } from '@kinora/webhooks';
import type { FastifyRequest } from 'fastify';
import { GatewayConfig } from '../gateway.config';
import type { ReceivedBody } from '../http/received-body';

/** Hands what a backend tells to jobs, as it came, once its address is found genuine: a guess gets no further than here. */
@Injectable()
export class ForwardCallback {
  private readonly signer: CallbackSigner;

  constructor(
    private readonly bus: Bus,
    config: GatewayConfig,
  ) {
    this.signer = new CallbackSigner(config.urlSigningKey, config.urlSigningKeyAccepted);
  }

  /** @throws ApiError not_found, as any address that does not exist; capacity, which lets the backend come again. */
  async execute(provider: string, token: string, { headers, body }: FastifyRequest): Promise<void> {
    const target = this.signer.read(provider, token);
    if (!target) throw new ApiError('not_found', 'There is no such endpoint.');
    await this.bus.request(jobsRpc.receiveCallback, {
      provider,
      job_id: target.jobId,
      attempt_number: target.attemptNumber,
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
