import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { addressGroup } from '@kinora/service-kit/address-group';
import { ConsoleConfig } from '../console.config';

const MINUTE_MS = 60_000;
/** Bounds the map to a few MB. A name that is evicted starts with a full bucket again. */
const NAMES_MAX = 50_000;

/** Token buckets of sign-ins: for each client address, and for each name or key that a sign-in gives. */
@Injectable()
export class AttemptLimits {
  /** When each bucket will be full again, least recently used first. */
  private readonly fullAtMs = new Map<string, number>();
  private readonly attemptMs: number;

  constructor({ signInsRpm }: ConsoleConfig) {
    this.attemptMs = MINUTE_MS / signInsRpm;
  }

  /** Counts an attempt, successful or not. @throws ApiError rate_limited */
  count(address: string, name: string, nowMs = performance.now()): void {
    for (const bucket of [`address ${addressGroup(address)}`, `name ${name}`]) this.take(bucket, nowMs);
  }

  private take(bucket: string, nowMs: number): void {
    const fullAtMs = Math.max(this.fullAtMs.get(bucket) ?? nowMs, nowMs) + this.attemptMs;
    const overMs = fullAtMs - nowMs - MINUTE_MS;
    // A floating-point sum must not cost an attempt.
    if (overMs > 1e-6) {
      const retry_after_seconds = Math.max(1, Math.ceil(overMs / 1_000));
      const message = `Too many sign-ins. Retry in ${retry_after_seconds} s.`;
      throw new ApiError('rate_limited', message, { retry_after_seconds });
    }
    this.fullAtMs.delete(bucket);
    this.fullAtMs.set(bucket, fullAtMs);
    const [leastRecent] = this.fullAtMs.keys();
    if (this.fullAtMs.size > NAMES_MAX && leastRecent !== undefined) this.fullAtMs.delete(leastRecent);
  }
}
