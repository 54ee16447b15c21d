import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Idempotency } from '@kinora/contracts/jobs/jobs.rpc';
import { JobRepository } from '../job/job.repository';
import type { JobRow } from '../job/job.row';
import { IdempotencyKeyRepository } from './idempotency-key.repository';

/** How long a second request waits while the first one is being accepted (decisions: Idempotency). */
const WAIT_MS = 10_000;
/** The first look again, and the longest time between two: a thousand that wait must not keep the first from its work. */
const LOOK_AGAIN_MS = { first: 20, last: 160 };

/** What became of a key: its job, or the right to make one. */
export type KeyClaim = { replayed: JobRow } | { jobId: string };

/** Makes one job of many requests with one key. */
@Injectable()
export class Replay {
  constructor(
    private readonly keys: IdempotencyKeyRepository,
    private readonly jobs: JobRepository,
  ) {}

  /** The job that the key is bound to, or null; waits while a request with the key is on its way. */
  async find(accountId: string, idempotency: Idempotency): Promise<JobRow | null> {
    return await this.repeatWhilePending(async () => {
      const held = await this.keys.find(accountId, idempotency.key);
      if (!held) return null;
      return held.accepted_at ? await this.jobOf(held, idempotency) : 'pending';
    });
  }

  /** The key's job, or the key itself for a new job under the given id (or the id that a dead request had begun with). */
  async findOrClaim(
    accountId: string,
    idempotency: Idempotency,
    newJob: { job_id: string; has_images: boolean },
  ): Promise<KeyClaim> {
    return await this.repeatWhilePending(async () => {
      const jobId = await this.keys.claim(accountId, idempotency, newJob);
      if (jobId !== null) return { jobId };
      const held = await this.keys.find(accountId, idempotency.key);
      return held?.accepted_at ? { replayed: await this.jobOf(held, idempotency) } : 'pending';
    });
  }

  /**
   * Gives a claimed key back after a failure. A refusal frees it, since only an accepted job binds a key; after anything
   * less certain the next request with the key goes on under the same job id, and finds what was reserved.
   */
  async letGo(accountId: string, key: string, jobId: string, failure: unknown): Promise<void> {
    const refused = failure instanceof ApiError && failure.code !== 'capacity' && failure.code !== 'internal_error';
    if (refused) await this.keys.free(accountId, key, jobId);
    else await this.keys.abandon(accountId, key, jobId);
  }

  private async jobOf(
    held: { route: string; body_sha256: string; job_id: string },
    wanted: Idempotency,
  ): Promise<JobRow> {
    if (held.route !== wanted.route || held.body_sha256 !== wanted.body_sha256) {
      throw new ApiError('idempotency_conflict', 'This Idempotency-Key was used with another request.', {
        param: 'Idempotency-Key',
      });
    }
    const job = await this.jobs.find(held.job_id);
    if (!job) throw new Error(`Idempotency key without its job ${held.job_id}`);
    return job;
  }

  private async repeatWhilePending<Found>(look: () => Promise<Found | 'pending'>): Promise<Found> {
    const givingUpAt = performance.now() + WAIT_MS;
    for (let waitMs = LOOK_AGAIN_MS.first; ; waitMs = Math.min(2 * waitMs, LOOK_AGAIN_MS.last)) {
      const found = await look();
      if (found !== 'pending') return found;
      if (performance.now() > givingUpAt) throw ApiError.unavailable('The first request with this Idempotency-Key');
      await sleep(waitMs);
    }
  }
}
