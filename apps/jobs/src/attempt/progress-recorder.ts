import { Injectable } from '@nestjs/common';
import { Batcher } from '@kinora/bus';
import { WakeUp } from '@kinora/service-kit';
import { JobChanges } from '../job/job-changes';
import { AttemptPollRepository } from './attempt-poll.repository';
import type { AttemptProgress } from './attempt.row';

/** The loops that are woken as soon as there is work for them: jobs to dispatch, outputs to collect. */
export type WokenLoop = 'dispatch' | 'collect';

/** The number of attempts that one poll returns at most. */
const MAX_ATTEMPTS = 200;
/** One batch is written while the next is on its way; attempts that arrive meanwhile form the batch after it. */
const MAX_CONCURRENT = 2;

interface Waiting {
  progress: AttemptProgress;
  resolve: (isOurs: boolean) => void;
  reject: (error: unknown) => void;
}

/** Records the polled states of attempts in micro-batches: one statement for all that arrive together. */
@Injectable()
export class ProgressRecorder {
  private readonly batcher = new Batcher<Waiting>({
    maxItems: MAX_ATTEMPTS,
    maxConcurrent: MAX_CONCURRENT,
    // All items have the same priority.
    keyOf: () => '',
    work: (waiting) => this.serve(waiting),
  });

  constructor(
    private readonly polls: AttemptPollRepository,
    private readonly wakeUp: WakeUp<WokenLoop>,
    private readonly changes: JobChanges,
  ) {}

  /** False if the attempt has ended or another process has claimed it: the caller then discards its work. */
  record(progress: AttemptProgress): Promise<boolean> {
    return new Promise((resolve, reject) => this.batcher.add({ progress, resolve, reject }));
  }

  private async serve(waiting: Waiting[]): Promise<void> {
    try {
      const ours = await this.write(waiting.map(({ progress }) => progress));
      for (const { progress, resolve } of waiting) resolve(ours.has(progress.job_id));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  private async write(progress: AttemptProgress[]): Promise<Set<string>> {
    const ours = new Set(await this.polls.recordProgress(progress));
    for (const jobId of ours) this.changes.addUpdated(jobId);
    if (progress.some(({ state, job_id }) => state === 'collecting' && ours.has(job_id))) this.wakeUp.notify('collect');
    return ours;
  }
}
