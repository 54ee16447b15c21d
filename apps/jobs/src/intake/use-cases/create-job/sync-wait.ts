import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { remainingMs } from '@kinora/bus';
import { isInFlight, type Job } from '@kinora/contracts/jobs/job';
import { JobRepository } from '../../../job/job.repository';
import type { JobRow } from '../../../job/job.entity';
import { JobPresenter } from '../../../job/job.view';

const POLL_EVERY_MS = 50;
/** The part of the caller's deadline that is left for the transport of the reply. */
const ANSWER_RESERVE_MS = 1_000;

/**
 * Waits for the end of a new job within its model's `sync_wait_ms` and the caller's deadline (decisions: Answer to a creation).
 */
@Injectable()
export class SyncWait {
  constructor(
    private readonly jobs: JobRepository,
    private readonly presenter: JobPresenter,
  ) {}

  /** The job is already stored, so neither the caller's deadline nor a failing read may end in an error. */
  async present(stored: JobRow): Promise<Job> {
    const leftMs = (remainingMs() ?? Number.POSITIVE_INFINITY) - ANSWER_RESERVE_MS;
    const waitUntil = performance.now() + Math.min(stored.plan.sync_wait_ms, leftMs);
    let job = stored;
    while (isInFlight(job.status) && performance.now() < waitUntil) {
      await sleep(POLL_EVERY_MS);
      job = (await this.jobs.find(stored.id).catch(() => null)) ?? job;
    }
    return this.presenter.toJob(job).catch(() => this.presenter.toJob(stored));
  }
}
