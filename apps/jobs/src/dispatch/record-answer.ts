import { Injectable } from '@nestjs/common';
import type { SubmitOutcome } from '@kinora/compute';
import { InjectLogger, type Logger, crashPoint } from '@kinora/service-kit';
import { AttemptCancelRepository } from '../attempt/attempt-cancel.repository';
import { AttemptRepository } from '../attempt/attempt.repository';
import { type AttemptProgress, type AttemptRow, FIRST_POLL_MS, type SpooledOutputs } from '../attempt/attempt.row';
import { FailurePolicy } from '../ending/failure-policy';
import { OutputSpool } from '../attempt/stored-files';
import { ProgressRecorder } from '../attempt/progress-recorder';
import type { Submission } from './submission';
import { ProviderLoad } from '../routing/provider-load';

const SPOOL_RETRY_MS = 1_000;

type Seen = Omit<AttemptProgress, 'job_id' | 'number' | 'fence' | 'problem'>;

/** Records the answer of a provider to a submission, and what follows from it. */
@Injectable()
export class RecordAnswer {
  constructor(
    private readonly attempts: AttemptRepository,
    private readonly progress: ProgressRecorder,
    private readonly spool: OutputSpool,
    private readonly failurePolicy: FailurePolicy,
    private readonly load: ProviderLoad,
    private readonly cancels: AttemptCancelRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** True if the provider has accepted the job. */
  async record(submission: Submission, outcome: SubmitOutcome): Promise<boolean> {
    const { attempt } = submission;
    switch (outcome.kind) {
      case 'accepted':
        return await this.recordAccepted(attempt, {
          state: outcome.isRunning ? 'running' : 'accepted',
          next_poll_in_ms: FIRST_POLL_MS,
          upstream_ref: outcome.ref,
          parked: outcome.isParked ?? false,
        });
      case 'finished':
        return await this.recordFinished(submission, outcome);
      case 'unknown':
        return await this.recordUnknown(submission, outcome.reason);
      case 'refused':
        await this.failurePolicy.apply(attempt, {
          kind: 'refused',
          retryAfterMs: outcome.retryAfterMs,
          reason: outcome.reason,
        });
        return false;
      case 'failed':
        await this.failurePolicy.apply(attempt, {
          kind: 'failed',
          providerFailure: outcome.failure,
          gpuMs: outcome.gpuMs,
        });
        return false;
    }
  }

  private async recordAccepted(attempt: AttemptRow, seen: Seen): Promise<boolean> {
    const { job_id, number, fence } = attempt;
    const isOurs = await this.progress.record({ job_id, number, fence, problem: null, ...seen });
    crashPoint('jobs.run.submit_recorded');
    if (isOurs && seen.parked === true) this.load.leave(attempt.provider);
    // The job ended while the submission was on its way: the provider has the task, so it has to be canceled.
    if (!isOurs && !(await this.cancels.want(attempt, seen)) && seen.spooled) await this.spool.delete(seen.spooled);
    return isOurs;
  }

  private async recordUnknown(
    { provider, attempt, hasBegun, isGivenUp }: Submission,
    reason = 'no answer',
  ): Promise<boolean> {
    // This process aborted the request to an own backend at its shutdown. The job is submitted again, at no loss.
    if (isGivenUp && hasBegun && provider.hosting === 'own')
      return await this.attempts.requeue(attempt, {
        outcome: 'refused',
        problem: null,
        delayMs: 0,
        gpuMs: null,
        reason: 'aborted: the process that held it was shut down',
      });
    return await this.recordAccepted(attempt, { state: 'unknown', next_poll_in_ms: FIRST_POLL_MS, reason });
  }

  private async recordFinished(
    submission: Submission,
    { outputs, gpuMs }: Extract<SubmitOutcome, { kind: 'finished' }>,
  ): Promise<boolean> {
    const spooled = await this.spoolPersistently(submission, outputs, gpuMs);
    if (!spooled) return await this.recordUnknown(submission);
    this.load.leave(submission.provider.id);
    return await this.recordAccepted(submission.attempt, { state: 'collecting', next_poll_in_ms: 0, spooled });
  }

  /**
   * The answer is the only copy of the outputs, so the store is retried while the lease is held. Null after the lease is lost.
   */
  private async spoolPersistently(
    { attempt, lease }: Submission,
    outputs: Buffer[],
    gpuMs: number | null,
  ): Promise<SpooledOutputs | null> {
    while (!lease.signal.aborted) {
      try {
        return await this.spool.put(attempt, outputs, gpuMs);
      } catch (error) {
        this.logger.warn({ job_id: attempt.job_id, reason: String(error) }, 'answer_not_spooled');
        await new Promise((resolve) => setTimeout(resolve, SPOOL_RETRY_MS));
      }
    }
    return null;
  }
}
