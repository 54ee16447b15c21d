import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Job } from '@kinora/contracts/jobs/job';
import type { Idempotency } from '@kinora/contracts/jobs/jobs.rpc';
import { JobRepository } from '../job/job.repository';
import { JobPresenter } from '../job/job.view';
import { IdempotencyKeyRepository } from './idempotency-key.repository';

/** How long a second request waits while the first one is in progress (decisions: Idempotency). */
const WAIT_MS = 10_000;
/** The first and the longest pause between two polls: a thousand waiting requests must not starve the first one. */
const POLL_EVERY_MS = { first: 20, last: 160 };

/** The result of a claim: the job of the key, or the right to create one under this id. */
export type KeyClaim = { replayed: Job } | { jobId: string };

/** The job that a claim is for. */
interface NewJobOfKey {
  job_id: string;
  has_images: boolean;
}

/** Ensures that many requests with one Idempotency-Key create one job. */
@Injectable()
export class IdempotencyKeys {
  constructor(
    private readonly keys: IdempotencyKeyRepository,
    private readonly jobs: JobRepository,
    private readonly presenter: JobPresenter,
  ) {}

  /** The job that the key is bound to, or null; waits while a request with the key is in progress. */
  async find(accountId: string, idempotency: Idempotency): Promise<Job | null> {
    return await this.pollWhilePending(async () => {
      const stored = await this.keys.find(accountId, idempotency.key);
      if (!stored) return null;
      return stored.accepted_at ? await this.jobOf(stored, idempotency) : 'pending';
    });
  }

  /** Claims the key for a new job. Null while it is bound to a job, or claimed by another request. */
  claim(accountId: string, idempotency: Idempotency, newJob: NewJobOfKey): Promise<string | null> {
    return this.keys.claim(accountId, idempotency, newJob);
  }

  /** Finds the job of the key, or claims the key for a new job under the given id or the id of a dead request. */
  async findOrClaim(accountId: string, idempotency: Idempotency, newJob: NewJobOfKey): Promise<KeyClaim> {
    return await this.pollWhilePending(async () => {
      const jobId = await this.keys.claim(accountId, idempotency, newJob);
      if (jobId !== null) return { jobId };
      const stored = await this.keys.find(accountId, idempotency.key);
      return stored?.accepted_at ? { replayed: await this.jobOf(stored, idempotency) } : 'pending';
    });
  }

  /**
   * Releases a claimed key after a failure. A refusal frees it, because only a stored job binds a key. After an uncertain
   * failure the next request with the key resumes the same job id, and finds the hold.
   */
  async release(accountId: string, key: string, jobId: string, failure: unknown): Promise<void> {
    const refused = failure instanceof ApiError && failure.code !== 'capacity' && failure.code !== 'internal_error';
    if (refused) await this.keys.free(accountId, key, jobId);
    else await this.keys.abandon(accountId, key, jobId);
  }

  private async jobOf(
    stored: { route: string; body_sha256: string; job_id: string },
    wanted: Idempotency,
  ): Promise<Job> {
    if (stored.route !== wanted.route || stored.body_sha256 !== wanted.body_sha256) {
      throw new ApiError('idempotency_conflict', 'This Idempotency-Key was used with another request.', {
        param: 'Idempotency-Key',
      });
    }
    const job = await this.jobs.find(stored.job_id);
    if (!job) throw new Error(`Job ${stored.job_id} of an Idempotency-Key does not exist`);
    return this.presenter.toJob(job);
  }

  private async pollWhilePending<Found>(poll: () => Promise<Found | 'pending'>): Promise<Found> {
    const givingUpAt = performance.now() + WAIT_MS;
    for (let waitMs = POLL_EVERY_MS.first; ; waitMs = Math.min(2 * waitMs, POLL_EVERY_MS.last)) {
      const found = await poll();
      if (found !== 'pending') return found;
      if (performance.now() > givingUpAt) throw ApiError.unavailable('The first request with this Idempotency-Key');
      await sleep(waitMs);
    }
  }
}
