import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { type SpanShape, inTrace } from '@kinora/tracing';
import { JobEnding } from './job-ending';
import { JobRepository } from '../job/job.repository';
import { attemptsEnded } from '../jobs.metrics';
import { ProviderLoad } from '../routing/provider-load';
import { JobRoutes } from '../routing/job-routes';
import { AttemptRepository } from '../attempt/attempt.repository';
import type { AttemptRow } from '../attempt/attempt.row';
import { type AttemptFailure, decideAfterFailure, reasonOf } from '../attempt/decide-after-failure';

const FAILING: SpanShape = { kind: 'internal' };

/** Decides and records what follows for the job after a failed attempt. */
@Injectable()
export class FailurePolicy {
  constructor(
    private readonly attempts: AttemptRepository,
    private readonly jobs: JobRepository,
    private readonly ending: JobEnding,
    private readonly routes: JobRoutes,
    private readonly load: ProviderLoad,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Does nothing if the attempt has ended or another process has claimed it. */
  apply(attempt: AttemptRow, failure: AttemptFailure): Promise<void> {
    return inTrace(attempt.traceparent, 'fail_attempt', FAILING, (span) => {
      span.set({ 'kinora.job_id': attempt.job_id, 'kinora.mishap': failure.kind });
      return this.decide(attempt, failure);
    });
  }

  private async decide(attempt: AttemptRow, failure: AttemptFailure): Promise<void> {
    const past = await this.attempts.findPast(attempt.job_id);
    const hasOtherInstance = await this.hasOtherInstance(attempt, failure, past.failed_at);
    const decision = decideAfterFailure(failure, past, { number: attempt.number, hasOtherInstance });
    const gpuMs = 'gpuMs' in failure ? failure.gpuMs : null;
    this.logFailure(attempt, failure, decision.kind);
    attemptsEnded.inc({ provider: attempt.provider, outcome: decision.outcome });
    if (decision.kind === 'over') {
      const end = { status: 'failed', error_code: decision.errorCode, gpu_ms: gpuMs } as const;
      await this.ending.endByAttempt(attempt, end, { outcome: decision.outcome, reason: reasonOf(failure) });
    } else {
      await this.attempts.requeue(attempt, { ...decision, gpuMs, reason: reasonOf(failure) });
    }
    this.load.leave(attempt.provider);
  }

  private async hasOtherInstance(attempt: AttemptRow, failure: AttemptFailure, failedAt: string[]): Promise<boolean> {
    if (failure.kind !== 'failed' || failure.providerFailure.kind !== 'transient') return false;
    const job = await this.jobs.find(attempt.job_id);
    return job !== null && this.routes.hasOther(job, [...failedAt, attempt.provider]);
  }

  private logFailure(
    { job_id, number, provider }: AttemptRow,
    failure: AttemptFailure,
    decision: 'again' | 'over',
  ): void {
    if (failure.kind === 'refused') return;
    const kind = failure.kind === 'failed' ? failure.providerFailure.kind : failure.kind;
    const details = { job_id, attempt: number, provider, kind, reason: reasonOf(failure), fate: decision };
    // The backend does not accept the requests that our template makes, so every job of this route fails until the operator
    // fixes it.
    if (kind === 'invalid_input') this.logger.error(details, 'attempt_failed');
    else this.logger.warn(details, 'attempt_failed');
  }
}
