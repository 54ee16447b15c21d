import { Injectable } from '@nestjs/common';
import { sanitizeImage } from '@kinora/images';
import { ObjectStore } from '@kinora/object-store';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { AttemptRepository } from '../../attempt/attempt.repository';
import type { AttemptProgress, AttemptRow } from '../../attempt/attempt.row';
import { FIRST_CHECK_MS } from '../../attempt/next-step';
import { JobEnding } from '../../job/job-ending';
import { JobRepository } from '../../job/job.repository';
import type { JobRow } from '../../job/job.row';
import type { ComputeProvider, SubmitOutcome } from '../../providers/compute-provider.port';
import { toProviderTask } from './provider-task';

/** Submissions under way at once: enough to hide the round trip, few enough to keep images out of memory. */
const BATCH = 32;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 5_000;

/** Takes waiting jobs of one provider and submits them. */
@Injectable()
export class DispatchJobs {
  constructor(
    private readonly attempts: AttemptRepository,
    private readonly jobs: JobRepository,
    private readonly ending: JobEnding,
    private readonly objects: ObjectStore,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Returns how many were taken and whether there may be more. */
  async execute(provider: ComputeProvider): Promise<{ submitted: number; more: boolean }> {
    const room = Math.min(BATCH, provider.concurrency - (await this.attempts.countOpen(provider.id)));
    if (room <= 0) return { submitted: 0, more: false };
    const attempts = await this.attempts.open(provider.id, room);
    const jobs = new Map((await this.jobs.findMany(attempts.map(({ job_id }) => job_id))).map((job) => [job.id, job]));
    const progress = await Promise.all(
      attempts.map(async (attempt) => {
        const job = jobs.get(attempt.job_id);
        return job ? await this.submit(provider, attempt, job) : null;
      }),
    );
    await this.record(
      provider,
      attempts,
      progress.filter((one) => one !== null),
    );
    return { submitted: attempts.length, more: attempts.length === BATCH };
  }

  /** The attempt's progress, or null where the attempt is over. */
  private async submit(provider: ComputeProvider, attempt: AttemptRow, job: JobRow): Promise<AttemptProgress | null> {
    let outcome: SubmitOutcome;
    try {
      const images = await Promise.all(job.images.map(({ object_key }) => this.readInput(object_key)));
      outcome = await provider.submit(toProviderTask(job, attempt.upstream_id, images));
    } catch (error) {
      this.logger.error({ job_id: job.id, reason: String(error) }, 'job_not_submitted');
      await this.attempts.requeue(attempt, {
        outcome: 'refused',
        problem: 'storage_error',
        delay_ms: retryDelayMs(attempt),
      });
      return null;
    }
    return await this.follow(attempt, outcome);
  }

  private async follow(attempt: AttemptRow, outcome: SubmitOutcome): Promise<AttemptProgress | null> {
    const { job_id, number, fence } = attempt;
    switch (outcome) {
      case 'accepted':
      case 'running':
      case 'unknown':
        return { job_id, number, fence, state: outcome, next_check_in_ms: FIRST_CHECK_MS, problem: null };
      case 'refused':
        await this.attempts.requeue(attempt, { outcome, problem: 'capacity', delay_ms: retryDelayMs(attempt) });
        return null;
      case 'rejected':
        await this.ending.endByAttempt(
          attempt,
          { status: 'failed', error_code: 'provider_error', gpu_ms: null },
          'failed',
        );
        return null;
    }
  }

  private async record(provider: ComputeProvider, attempts: AttemptRow[], progress: AttemptProgress[]): Promise<void> {
    const ours = new Set(await this.attempts.recordProgress(progress));
    const started = progress.filter(({ job_id, state }) => state === 'running' && ours.has(job_id));
    if (started.length > 0) await this.jobs.start(started.map(({ job_id }) => job_id));
    // Canceled while it was on its way: the provider has it, and nobody wants it any more.
    const unwanted = progress.filter(({ job_id }) => !ours.has(job_id));
    for (const { upstream_id } of attempts.filter(({ job_id }) => unwanted.some((one) => one.job_id === job_id))) {
      void provider.cancel(upstream_id);
    }
  }

  /** Providers see pixels only: upright, re-encoded, without what else the file carried. */
  private async readInput(objectKey: string): Promise<Buffer> {
    return (await sanitizeImage(await this.objects.get(objectKey))).bytes;
  }
}

function retryDelayMs({ number }: AttemptRow): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (number - 1), MAX_RETRY_MS);
}
