import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import ipaddr from 'ipaddr.js';
import { ConsoleConfig } from '../console.config';

const MINUTE_MS = 60_000;
/** Bounds the map to a few MB. A name that is evicted starts with a full bucket again. */
const NAMES_MAX = 50_000;
/** The IPv6 prefix (/64) that a network assigns to one customer. */
const PREFIX_BYTES = 8;

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
    for (const bucket of [`address ${groupOf(address)}`, `name ${name}`]) this.take(bucket, nowMs);
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

function groupOf(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, PREFIX_BYTES)).toString('hex')}/64`;
}
