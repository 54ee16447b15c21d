import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { GatewayConfig } from '../gateway.config';
import { heldBodyBytes } from './http.metrics';

/** Bounds the bytes of all bodies that are being received or worked on, so that many large ones cannot exhaust the process. */
@Injectable()
export class BodyBudget {
  private heldBytes = 0;

  constructor(private readonly config: GatewayConfig) {
    heldBodyBytes.readBy({}, () => this.heldBytes);
  }

  /** @returns what gives the bytes back, once however often it is called. @throws ApiError capacity */
  hold(bytes: number): () => void {
    if (this.heldBytes + bytes > this.config.bodiesMaxBytes)
      throw ApiError.unavailable('Room for another request body');
    this.heldBytes += bytes;
    let owedBytes = bytes;
    return () => {
      this.heldBytes -= owedBytes;
      owedBytes = 0;
    };
  }
}
