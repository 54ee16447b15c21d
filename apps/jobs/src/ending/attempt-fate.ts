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
import { type Mishap, fateOf, reasonOf } from '../attempt/fate';

const FAILING: SpanShape = { kind: 'internal' };

/** Decides and writes down what follows for the job when an attempt has come to nothing. */
@Injectable()
export class AttemptFate {
  constructor(
    private readonly attempts: AttemptRepository,
    private readonly jobs: JobRepository,
    private readonly ending: JobEnding,
    private readonly routes: JobRoutes,
    private readonly load: ProviderLoad,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Nothing happens where the attempt has ended or changed hands meanwhile. */
  meet(attempt: AttemptRow, mishap: Mishap): Promise<void> {
    return inTrace(attempt.traceparent, 'fail_attempt', FAILING, (span) => {
      span.set({ 'kinora.job_id': attempt.job_id, 'kinora.mishap': mishap.kind });
      return this.decide(attempt, mishap);
    });
  }

  private async decide(attempt: AttemptRow, mishap: Mishap): Promise<void> {
    const past = await this.attempts.findPast(attempt.job_id);
    const hasOtherInstance = await this.hasOtherInstance(attempt, mishap, past.failed_at);
    const fate = fateOf(mishap, past, { number: attempt.number, hasOtherInstance });
    const gpuMs = 'gpuMs' in mishap ? mishap.gpuMs : null;
    this.tell(attempt, mishap, fate.kind);
    attemptsEnded.inc({ provider: attempt.provider, outcome: fate.outcome });
    if (fate.kind === 'over') {
      const end = { status: 'failed', error_code: fate.errorCode, gpu_ms: gpuMs } as const;
      await this.ending.endByAttempt(attempt, end, { outcome: fate.outcome, reason: reasonOf(mishap) });
    } else {
      await this.attempts.requeue(attempt, { ...fate, gpuMs, reason: reasonOf(mishap) });
    }
    this.load.leave(attempt.provider);
  }

  private async hasOtherInstance(attempt: AttemptRow, mishap: Mishap, failedAt: string[]): Promise<boolean> {
    if (mishap.kind !== 'failed' || mishap.failure.kind !== 'transient') return false;
    const job = await this.jobs.find(attempt.job_id);
    return job !== null && this.routes.hasOther(job, [...failedAt, attempt.provider]);
  }

  private tell({ job_id, number, provider }: AttemptRow, mishap: Mishap, fate: 'again' | 'over'): void {
    if (mishap.kind === 'refused') return;
    const kind = mishap.kind === 'failed' ? mishap.failure.kind : mishap.kind;
    const told = { job_id, attempt: number, provider, kind, reason: reasonOf(mishap), fate };
    // The backend does not understand what our template makes of requests, and will understand none of them: a person is needed.
    if (kind === 'invalid_input') this.logger.error(told, 'attempt_failed');
    else this.logger.warn(told, 'attempt_failed');
  }
}
