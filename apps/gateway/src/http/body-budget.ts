import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { GatewayConfig, LARGEST_BODY_BYTES } from '../gateway.config';
import { heldBodyBytes } from './http.metrics';

/**
 * Bounds the bytes of all bodies that are being received or worked on, so that many large ones cannot exhaust the process,
 * and those of each account, so that none can shut the others out.
 */
@Injectable()
export class BodyBudget {
  private heldBytes = 0;
  private readonly heldByAccount = new Map<string, number>();
  private readonly accountMaxBytes: number;

  constructor(private readonly config: GatewayConfig) {
    // Half of a small budget would not be enough for a single body that is legal.
    this.accountMaxBytes = Math.max(config.bodiesMaxBytes / 2, LARGEST_BODY_BYTES);
    heldBodyBytes.readBy({}, () => this.heldBytes);
  }

  /**
   * What belongs to no account shares one's part.
   * @returns what gives the bytes back, once however often it is called. @throws ApiError capacity
   */
  hold(bytes: number, accountId = ''): () => void {
    if (this.heldBytes + bytes > this.config.bodiesMaxBytes || this.heldBy(accountId) + bytes > this.accountMaxBytes)
      throw ApiError.unavailable('Room for another request body');
    this.add(accountId, bytes);
    let owedBytes = bytes;
    return () => {
      this.add(accountId, -owedBytes);
      owedBytes = 0;
    };
  }

  private heldBy(accountId: string): number {
    return this.heldByAccount.get(accountId) ?? 0;
  }

  private add(accountId: string, bytes: number): void {
    this.heldBytes += bytes;
    const held = this.heldBy(accountId) + bytes;
    if (held > 0) this.heldByAccount.set(accountId, held);
    else this.heldByAccount.delete(accountId);
  }
}
