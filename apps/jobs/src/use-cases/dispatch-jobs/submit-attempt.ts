import { Injectable } from '@nestjs/common';
import { ImageProblem } from '@kinora/images';
import { ObjectNotFound } from '@kinora/object-store';
import { InjectLogger, type Logger, crashPoint } from '@kinora/service-kit';
import { AttemptRepository, LEASE_MS } from '../../attempt/attempt.repository';
import type { AttemptRow } from '../../attempt/attempt.row';
import { ProgressRecorder } from '../../attempt/progress-recorder';
import { retryDelayMs } from '../../attempt/retry-delay';
import type { Submission } from '../../attempt/submission';
import { CallbackAddresses } from '../../callbacks/callback-addresses';
import { JobEnding } from '../../job/job-ending';
import type { JobRow } from '../../job/job.row';
import { JobInputs } from './job-inputs';
import { toProviderTask } from './provider-task';
import { RecordAnswer } from './record-answer';

/** Sends an attempt to its provider. */
@Injectable()
export class SubmitAttempt {
  constructor(
    private readonly attempts: AttemptRepository,
    private readonly inputs: JobInputs,
    private readonly progress: ProgressRecorder,
    private readonly ending: JobEnding,
    private readonly answers: RecordAnswer,
    private readonly callbacks: CallbackAddresses,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** True when the provider has taken the job. */
  async execute(submission: Submission, job: JobRow): Promise<boolean> {
    const { provider, attempt, lease } = submission;
    const images = await this.readInputs(attempt, job);
    if (!images) return false;
    // Whoever was held up until its lease ran out is too late: another may have submitted the job by now.
    if (!(await lease.isHeld())) {
      if (submission.isGivenUp) await this.putBack(attempt, null);
      return false;
    }
    const callbackUrl = this.callbacks.find(provider.id, { jobId: job.id, attemptNumber: attempt.number });
    const outcome = await provider.submit(toProviderTask(job, attempt.upstream_id, images, callbackUrl), {
      signal: lease.signal,
      onRunning: () => submission.begin(() => this.recordBeginning(attempt)),
    });
    crashPoint('jobs.run.submit_answered');
    await submission.beginningRecorded();
    return await this.answers.record(submission, outcome);
  }

  private async recordBeginning({ job_id, number, fence }: AttemptRow): Promise<void> {
    const begun = { state: 'answering', next_check_in_ms: LEASE_MS, problem: null } as const;
    try {
      await this.progress.record({ job_id, number, fence, ...begun });
    } catch (error) {
      this.logger.warn({ job_id, reason: String(error) }, 'job_start_not_recorded');
    }
  }

  /** Null when they cannot be had: for good, which ends the job, or for now, which puts it back in line. */
  private async readInputs(attempt: AttemptRow, job: JobRow): Promise<Buffer[] | null> {
    try {
      return await this.inputs.read(job);
    } catch (error) {
      const isLost = error instanceof ObjectNotFound || error instanceof ImageProblem;
      const failure = { status: 'failed', error_code: 'storage_error', gpu_ms: null } as const;
      // A job that was canceled meanwhile has taken its inputs with it, which nobody has to be told of.
      if (isLost && (await this.ending.endByAttempt(attempt, failure, 'failed')) === null) return null;
      this.logger.error({ job_id: job.id, lost: isLost, reason: String(error) }, 'job_inputs_not_read');
      if (!isLost) await this.putBack(attempt, 'storage_error');
      return null;
    }
  }

  private async putBack(attempt: AttemptRow, problem: 'storage_error' | null): Promise<void> {
    const delayMs = problem === null ? 0 : retryDelayMs(attempt.number, null);
    await this.attempts.requeue(attempt, { outcome: 'refused', problem, delayMs, gpuMs: null });
  }
}
