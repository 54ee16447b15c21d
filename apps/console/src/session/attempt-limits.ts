import { Injectable } from '@nestjs/common';
import { Clock } from '@kinora/service-kit';
import { ApiError } from '@kinora/contracts/shared/errors';
import { addressGroup } from '../../../../libs/service-kit/src/http/connection-limit';
import { ConsoleConfig } from '../console.config';
import { ConsoleError } from '../http/console-error';

const MINUTE_MS = 60_000;
/** Bounds the map to a few MB. A bucket that is evicted starts full again. */
const BUCKETS_MAX = 50_000;
/** Longer than a check of a key or a password takes, so that the time of a refusal says nothing about its reason. */
const REFUSED_AFTER_MS = 1_000;

/**
 * Token buckets of sign-ins. Strangers share that of their client address. There is none for an operator's e-mail: strangers could
 * use it up, and keep its operator out. A customer's has one, because many addresses could try a few passwords each; its owner gets
 * past it in a browser that signed in before, or with a link.
 */
@Injectable()
export class AttemptLimits {
  /** When each bucket will be full again, least recently used first. */
  private readonly fullAtMs = new Map<string, number>();
  private readonly attemptMs: number;

  constructor(
    { signInsRpm }: ConsoleConfig,
    private readonly clock: Clock,
  ) {
    this.attemptMs = MINUTE_MS / signInsRpm;
  }

  /**
   * Counts an attempt of a stranger, successful or not.
   * @param secret the hash of a secret that the attempt gives; only its owner can use up this bucket
   * @throws ApiError rate_limited
   */
  count(address: string, secret?: string): void {
    const nowMs = this.clock.nowMs();
    this.take(`address ${addressGroup(address)}`, nowMs);
    if (secret !== undefined) this.take(`secret ${secret}`, nowMs);
  }

  /** Counts an attempt at the user with this address, from wherever. @throws ApiError rate_limited */
  countEmail(email: string): void {
    this.take(`email ${email}`, this.clock.nowMs());
  }

  /** Counts an attempt of a session or a known browser, whose bucket strangers cannot use up. @throws ApiError rate_limited */
  countOwn(owner: string): void {
    this.take(`own ${owner}`, this.clock.nowMs());
  }

  /**
   * Runs the check of a sign-in. Every refusal has the same answer after the same time.
   * @param check null means refused
   * @throws ConsoleError sign_in_refused
   */
  async refuseEvenly<Result>(check: () => Promise<Result | null>, message: string): Promise<Result> {
    const startedAtMs = this.clock.nowMs();
    const result = await check();
    if (result !== null) return result;
    await this.clock.sleep(Math.max(0, REFUSED_AFTER_MS - (this.clock.nowMs() - startedAtMs)));
    throw new ConsoleError('sign_in_refused', message);
  }

  /** Runs the work; every answer, also an error, takes the same time. */
  async answerEvenly<Result>(work: () => Promise<Result>): Promise<Result> {
    const startedAtMs = this.clock.nowMs();
    try {
      return await work();
    } finally {
      await this.clock.sleep(Math.max(0, REFUSED_AFTER_MS - (this.clock.nowMs() - startedAtMs)));
    }
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
    if (this.fullAtMs.size > BUCKETS_MAX && leastRecent !== undefined) this.fullAtMs.delete(leastRecent);
  }
}
