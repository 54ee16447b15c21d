import { Injectable } from '@nestjs/common';
import { ImageProblem, sanitizeImage } from '@kinora/images';
import { ObjectNotFound, ObjectStore } from '@kinora/object-store';
import { InjectLogger, type Logger, crashPoint } from '@kinora/service-kit';
import { AttemptLease } from '../../attempt/attempt-lease';
import { AttemptRepository } from '../../attempt/attempt.repository';
import type { AttemptProgress, AttemptRow } from '../../attempt/attempt.row';
import { FIRST_CHECK_MS } from '../../attempt/next-step';
import { toUpstreamTask } from '../../attempt/upstream-task';
import { ProgressRecorder } from '../../attempt/progress-recorder';
import { JobEnding } from '../../job/job-ending';
import { JobRepository } from '../../job/job.repository';
import type { JobRow } from '../../job/job.row';
import type { ComputeProvider, SubmitOutcome } from '../../providers/compute-provider.port';
import { ProviderLoad } from '../../providers/provider-load';
import { toProviderTask } from './provider-task';
import { Turns } from './turns';

/** Submissions under way at once: enough to hide the round trip, few enough to keep images out of memory. */
const SLOTS = 32;
/** Jobs whose images are decoded at once: three large ones take some hundred megabytes. */
const INPUT_SLOTS = 3;
/** No output of the built-in models is larger, so more detail would only make the submission heavier. */
const MAX_REFERENCE_SIDE_PX = 2_048;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 5_000;

/** Takes waiting jobs of one provider and submits them. */
@Injectable()
export class DispatchJobs {
  private readonly underWay = new Set<Promise<void>>();
  private readonly inputTurns = new Turns(INPUT_SLOTS);

  constructor(
    private readonly attempts: AttemptRepository,
    private readonly load: ProviderLoad,
    private readonly progress: ProgressRecorder,
    private readonly jobs: JobRepository,
    private readonly ending: JobEnding,
    private readonly objects: ObjectStore,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Fills the free slots and does not wait for them; `onTaken` is told of each job that the provider has taken. */
  async execute(provider: ComputeProvider, onTaken: () => void): Promise<void> {
    const room = Math.min(SLOTS - this.underWay.size, await this.load.room(provider));
    if (room <= 0) return;
    const attempts = await this.attempts.open(provider.id, room);
    if (attempts.length === 0) return;
    crashPoint('jobs.run.attempt_written');
    this.load.add(provider, attempts.length);
    const jobs = new Map((await this.jobs.findMany(attempts.map(({ job_id }) => job_id))).map((job) => [job.id, job]));
    for (const attempt of attempts) {
      const job = jobs.get(attempt.job_id);
      if (job) this.track(this.submit(provider, attempt, job), onTaken);
    }
  }

  /** Resolves when nothing is under way any more. */
  async drain(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private track(submission: Promise<boolean>, onTaken: () => void): void {
    const guarded: Promise<void> = submission
      .catch((error: unknown) => {
        this.logger.error({ reason: String(error) }, 'job_not_submitted');
        return false;
      })
      .then((isTaken) => {
        // The slot is free before anybody is told, or whoever comes for it would find it taken and wait for the poll.
        this.underWay.delete(guarded);
        if (isTaken) onTaken();
      });
    this.underWay.add(guarded);
  }

  /** True when the provider has taken the job. */
  private async submit(provider: ComputeProvider, attempt: AttemptRow, job: JobRow): Promise<boolean> {
    const lease = new AttemptLease(this.attempts, attempt);
    try {
      const images = job.images.length === 0 ? [] : await this.inputTurns.run(() => this.readInputs(attempt, job));
      // Whoever was held up until its lease ran out is too late: another may have submitted the job by now.
      if (!images || !(await lease.isHeld())) return false;
      const outcome = await provider.submit(toProviderTask(job, attempt.upstream_id, images), {
        signal: new AbortController().signal,
        onRunning: () => undefined,
      });
      crashPoint('jobs.run.submit_answered');
      return await this.follow(provider, attempt, outcome);
    } finally {
      lease.release();
    }
  }

  private async follow(provider: ComputeProvider, attempt: AttemptRow, outcome: SubmitOutcome): Promise<boolean> {
    const { job_id, number, fence } = attempt;
    switch (outcome.kind) {
      case 'accepted':
      case 'finished':
      case 'unknown': {
        const state = outcome.kind === 'accepted' ? (outcome.isRunning ? 'running' : 'accepted') : 'unknown';
        const seen: Pick<AttemptProgress, 'state' | 'next_check_in_ms' | 'problem'> = {
          state,
          next_check_in_ms: FIRST_CHECK_MS,
          problem: null,
        };
        const isOurs = await this.progress.record({ job_id, number, fence, ...seen });
        crashPoint('jobs.run.submit_recorded');
        // Canceled or given up while it was on its way: the provider has it, and nobody wants it any more.
        if (!isOurs && (await this.attempts.hasEnded(attempt))) await provider.cancel(toUpstreamTask(attempt));
        return isOurs;
      }
      case 'refused':
        await this.requeue(attempt, 'capacity');
        return false;
      case 'failed':
        await this.ending.endByAttempt(
          attempt,
          { status: 'failed', error_code: 'provider_error', gpu_ms: null },
          'failed',
        );
        return false;
    }
  }

  /** Null when they cannot be had: for good, which ends the job, or for now, which puts it back in line. */
  private async readInputs(attempt: AttemptRow, job: JobRow): Promise<Buffer[] | null> {
    try {
      return await Promise.all(job.images.map(({ object_key }) => this.readInput(object_key)));
    } catch (error) {
      const isLost = error instanceof ObjectNotFound || error instanceof ImageProblem;
      const failure = { status: 'failed', error_code: 'storage_error', gpu_ms: null } as const;
      // A job that was canceled meanwhile has taken its inputs with it, which nobody has to be told of.
      if (isLost && (await this.ending.endByAttempt(attempt, failure, 'failed')) === null) return null;
      this.logger.error({ job_id: job.id, lost: isLost, reason: String(error) }, 'job_inputs_not_read');
      if (!isLost) await this.requeue(attempt, 'storage_error');
      return null;
    }
  }

  /** Providers see pixels only: upright, re-encoded, without what else the file carried. */
  private async readInput(objectKey: string): Promise<Buffer> {
    return (await sanitizeImage(await this.objects.get(objectKey), { maxSidePx: MAX_REFERENCE_SIDE_PX })).bytes;
  }

  private async requeue(attempt: AttemptRow, problem: 'capacity' | 'storage_error'): Promise<void> {
    const delay_ms = Math.min(FIRST_RETRY_MS * 2 ** (attempt.number - 1), MAX_RETRY_MS);
    await this.attempts.requeue(attempt, { outcome: 'refused', problem, delay_ms });
  }
}
