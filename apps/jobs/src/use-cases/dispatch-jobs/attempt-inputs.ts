import { Injectable } from '@nestjs/common';
import { ImageProblem } from '@kinora/images';
import { ObjectNotFound } from '@kinora/object-store';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { AttemptRepository } from '../../attempt/attempt.repository';
import type { AttemptRow } from '../../attempt/attempt.row';
import { retryDelayMs } from '../../attempt/retry-delay';
import { JobEnding } from '../../job/job-ending';
import type { JobRow } from '../../job/job.row';
import { JobInputs } from './job-inputs';

/** The images that an attempt is to be sent with, and what follows when they cannot be had. */
@Injectable()
export class AttemptInputs {
  constructor(
    private readonly attempts: AttemptRepository,
    private readonly inputs: JobInputs,
    private readonly ending: JobEnding,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Null when they cannot be had: for good, which ends the job, or for now, which puts it back in line. */
  async readFor(attempt: AttemptRow, job: JobRow): Promise<Buffer[] | null> {
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

  /** Of an attempt that was never sent. */
  async putBack(attempt: AttemptRow, problem: 'storage_error' | null): Promise<void> {
    const delayMs = problem === null ? 0 : retryDelayMs(attempt.number, null);
    await this.attempts.requeue(attempt, { outcome: 'refused', problem, delayMs, gpuMs: null });
  }
}
