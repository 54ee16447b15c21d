import { Injectable } from '@nestjs/common';
import type { TaskLora } from '@kinora/compute';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import { ImageProblem } from '@kinora/images';
import { ObjectNotFound } from '@kinora/object-store';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { AttemptRepository } from '../attempt/attempt.repository';
import type { AttemptRow } from '../attempt/attempt.row';
import { retryDelayMs } from '../attempt/decide-after-failure';
import { JobEnding } from '../ending/job-ending';
import type { JobRow } from '../job/job.entity';
import { LoraProblem } from './loras/lora-problem';
import { LoraSupply } from './loras/lora-supply';
import { JobInputs } from './job-inputs';

/** A LoRA is a file on a foreign server, which may fail for long: after this many tries the job fails. */
const LORA_TRIES = 3;
/** The time after its run for which a job may need its LoRAs: its outputs may not be collected yet. */
const AFTER_RUN_MS = 300_000;

/** The log contains details; the reason that operators see with the job contains no address. */
const LORAS_NOT_HAD = 'never sent: a LoRA could not be fetched';
const INPUTS_NOT_READ = 'never sent: its inputs could not be read';

/** The files with which an attempt is sent, besides the job itself. */
export interface AttemptSupplies {
  images: Buffer[];
  loras: TaskLora[];
}

/** Reads the files with which an attempt is sent, and handles their failure. */
@Injectable()
export class AttemptInputs {
  constructor(
    private readonly attempts: AttemptRepository,
    private readonly inputs: JobInputs,
    private readonly loras: LoraSupply,
    private readonly ending: JobEnding,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Null if a file is missing: a permanent failure ends the job, a temporary one requeues it. */
  async readFor(attempt: AttemptRow, job: JobRow): Promise<AttemptSupplies | null> {
    // One after another, because images are held in memory, and a LoRA may take long.
    const loras = await this.readLoras(attempt, job);
    const images = loras && (await this.readImages(attempt, job));
    return images && { images, loras };
  }

  private async readLoras(attempt: AttemptRow, job: JobRow): Promise<TaskLora[] | null> {
    const endsAtMs = Math.max(job.deadline_at?.getTime() ?? 0, Date.now()) + job.plan.run_timeout_ms + AFTER_RUN_MS;
    try {
      return await this.loras.supply(job.plan.loras, attempt.provider, endsAtMs);
    } catch (error) {
      const problem = error instanceof LoraProblem ? error : null;
      const isFinal = problem !== null && (problem.isFinal || attempt.number >= LORA_TRIES);
      const forClient = problem?.forClient ?? null;
      const because = forClient === null ? LORAS_NOT_HAD : `never sent: ${forClient}`;
      this.logger.warn(
        { job_id: job.id, provider: attempt.provider, final: isFinal, reason: String(error) },
        'job_loras_not_had',
      );
      const failure = { status: 'failed', error_code: 'provider_error', gpu_ms: null } as const;
      const message =
        forClient === null ? {} : { error_message: `${forClient}. Check the address; you were not charged.` };
      if (isFinal)
        await this.ending.endByAttempt(attempt, { ...failure, ...message }, { outcome: 'failed', reason: because });
      else await this.requeue(attempt, 'provider_error', because);
      return null;
    }
  }

  private async readImages(attempt: AttemptRow, job: JobRow): Promise<Buffer[] | null> {
    try {
      return await this.inputs.read(job);
    } catch (error) {
      const isLost = error instanceof ObjectNotFound || error instanceof ImageProblem;
      const failure = { status: 'failed', error_code: 'storage_error', gpu_ms: null } as const;
      // The inputs of a job that was canceled meanwhile are deleted, which is no error.
      if (
        isLost &&
        (await this.ending.endByAttempt(attempt, failure, { outcome: 'failed', reason: INPUTS_NOT_READ })) === null
      )
        return null;
      this.logger.error(
        { job_id: job.id, provider: attempt.provider, lost: isLost, reason: String(error) },
        'job_inputs_not_read',
      );
      if (!isLost) await this.requeue(attempt, 'storage_error', INPUTS_NOT_READ);
      return null;
    }
  }

  /** For an attempt that was never sent. */
  async requeue(attempt: AttemptRow, problem: JobErrorCode | null, reason: string): Promise<void> {
    const delayMs = problem === null ? 0 : retryDelayMs(attempt.number, null);
    await this.attempts.requeue(attempt, { outcome: 'refused', problem, delayMs, gpuMs: null, reason });
  }
}
