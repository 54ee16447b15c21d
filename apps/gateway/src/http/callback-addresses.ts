import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type CallbackTarget, CallbackSigner } from '@kinora/webhooks';
import type { FastifyRequest } from 'fastify';
import { GatewayConfig } from '../gateway.config';

declare module 'fastify' {
  interface FastifyRequest {
    /** The attempt that the callback URL was signed for; null on other routes. */
    callbackTarget: CallbackTarget | null;
  }
}

/** Verifies the URLs that backends call back at. A forged one is refused before its body is read. */
@Injectable()
export class CallbackAddresses {
  private readonly signer: CallbackSigner;

  constructor({ urlSigningKey, urlSigningKeyAccepted }: GatewayConfig) {
    this.signer = new CallbackSigner(urlSigningKey, urlSigningKeyAccepted);
  }

  /** @throws ApiError not_found for a forged URL, as for any unknown endpoint. */
  read({ params }: FastifyRequest): CallbackTarget {
    const { provider, token } = params as { provider: string; token: string };
    const target = this.signer.read(provider, token);
    if (!target) throw new ApiError('not_found', 'There is no such endpoint.');
    return target;
  }
}
