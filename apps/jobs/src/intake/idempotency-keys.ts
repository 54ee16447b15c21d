import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { crashPoint } from '@kinora/service-kit';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Job } from '@kinora/contracts/jobs/job';
import type { CreateJobRequest, Idempotency } from '@kinora/contracts/jobs/jobs.rpc';
import { v7 as uuidv7 } from 'uuid';
import { imagesOf } from './new-job';
import { JobRepository } from '../job/job.repository';
import { JobPresenter } from '../job/job.view';
import { IdempotencyKeyRepository } from './idempotency-key.repository';

/** How long a second request waits while the first one is in progress (decisions: Idempotency). */
const WAIT_MS = 10_000;
/** The first and the longest pause between two polls: a thousand waiting requests must not starve the first one. */
const POLL_EVERY_MS = { first: 20, last: 160 };

/** The result of a claim: the job of the key, or the right to create one under this id. */
export type KeyClaim = { replayed: Job } | { jobId: string };

/** Ensures that many requests with one Idempotency-Key create one job. */
@Injectable()
export class IdempotencyKeys {
  constructor(
    private readonly keys: IdempotencyKeyRepository,
    private readonly jobs: JobRepository,
    private readonly presenter: JobPresenter,
  ) {}

  /**
   * Claims the key of a request for its job, or for the job of a dead request with the same body. A key that is bound gives its
   * job instead. Waits while another request holds the key.
   */
  async claim(request: CreateJobRequest): Promise<KeyClaim> {
    const { account_id, idempotency, job_id = uuidv7() } = request;
    if (!idempotency) return { jobId: job_id };
    const newJob = { job_id, has_images: imagesOf(request).length > 0 };
    const claim = async (): Promise<KeyClaim | null> => {
      const jobId = await this.keys.claim(account_id, idempotency, newJob);
      if (jobId === null) return null;
      crashPoint('jobs.accept.key_claimed');
      return { jobId };
    };
    const bound = () => this.findBound(account_id, idempotency);
    return (await claim()) ?? this.pollWhilePending(async () => (await bound()) ?? (await claim()) ?? 'pending');
  }

  /**
   * The job that the key is bound to, or null. It depends on route, key and body only, so a replay works after any change. Waits while a
   * request holds the key.
   */
  async find(accountId: string, idempotency: Idempotency): Promise<Job | null> {
    const bound = await this.pollWhilePending(() => this.findBound(accountId, idempotency));
    return bound && bound.replayed;
  }

  /**
   * Releases a claimed key after a failure. A refusal frees it, because only a stored job binds a key. After an uncertain
   * failure the next request with the key resumes the same job id, and finds the hold.
   */
  async release({ account_id, idempotency }: CreateJobRequest, jobId: string, failure: unknown): Promise<void> {
    if (!idempotency) return;
    const refused = failure instanceof ApiError && failure.code !== 'capacity' && failure.code !== 'internal_error';
    if (refused) await this.keys.free(account_id, idempotency.key, jobId);
    else await this.keys.abandon(account_id, idempotency.key, jobId);
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

  private async findBound(accountId: string, idempotency: Idempotency): Promise<{ replayed: Job } | 'pending' | null> {
    const held = await this.keys.find(accountId, idempotency.key);
    if (!held) return null;
    return held.accepted_at ? { replayed: await this.jobOf(held, idempotency) } : 'pending';
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
