import { Injectable } from '@nestjs/common';
import type { RateDecision } from '@kinora/contracts/billing/billing.rpc';
import { addressGroup } from '../../../../libs/service-kit/src/http/connection-limit';
import { GatewayConfig } from '../gateway.config';

const MINUTE_MS = 60_000;
/**
 * Tolerance for floating-point sums, in milliseconds and in requests. Without it, a rounding error costs the client one
 * request.
 */
const ROUNDING = 1e-6;
/** Bounds the map to about 10 MB. An address that is evicted starts with a full bucket again. */
const ADDRESSES_MAX = 50_000;

/**
 * Token buckets of client addresses, for requests without a valid key. Each holds one minute of requests and refills
 * steadily.
 */
@Injectable()
export class AddressBuckets {
  /** When each bucket will be full again, least recently used first. */
  private readonly fullAtMs = new Map<string, number>();
  private readonly requestMs: number;

  constructor(private readonly config: GatewayConfig) {
    this.requestMs = MINUTE_MS / config.addressRateLimitRpm;
  }

  /** Describes the bucket without taking a token. */
  peek(address: string, nowMs = performance.now()): RateDecision {
    return this.describe(this.fullAt(address, nowMs) - nowMs, true);
  }

  take(address: string, nowMs = performance.now()): RateDecision {
    const fullAtMs = this.fullAt(address, nowMs) + this.requestMs;
    if (fullAtMs - nowMs > MINUTE_MS + ROUNDING) return this.describe(fullAtMs - this.requestMs - nowMs, false);
    this.remember(address, fullAtMs);
    return this.describe(fullAtMs - nowMs, true);
  }

  /** Returns the token of a request that turned out to need none. */
  giveBack(address: string, nowMs = performance.now()): void {
    this.remember(address, this.fullAt(address, nowMs) - this.requestMs);
  }

  private fullAt(address: string, nowMs: number): number {
    return Math.max(this.fullAtMs.get(addressGroup(address)) ?? nowMs, nowMs);
  }

  private remember(address: string, fullAtMs: number): void {
    const group = addressGroup(address);
    this.fullAtMs.delete(group);
    this.fullAtMs.set(group, fullAtMs);
    const [leastRecent] = this.fullAtMs.keys();
    if (this.fullAtMs.size > ADDRESSES_MAX && leastRecent !== undefined) this.fullAtMs.delete(leastRecent);
  }

  private describe(missingMs: number, allowed: boolean): RateDecision {
    const remaining = Math.floor((MINUTE_MS - missingMs) / this.requestMs + ROUNDING);
    const waitMs = missingMs + this.requestMs - MINUTE_MS;
    return {
      allowed,
      limit: this.config.addressRateLimitRpm,
      remaining,
      ...(allowed ? {} : { retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1000)) }),
    };
  }
}
