import { Injectable } from '@nestjs/common';
import { ProviderRegistry } from '@kinora/compute';
import { InjectLogger, type Logger, crashPoint } from '@kinora/service-kit';
import { type SpanShape, inTrace } from '@kinora/tracing';
import { AttemptLeases } from '../attempt/attempt-leases';
import type { ClaimedJob } from './job-claims.repository';
import { type OnSubmitted, Submission, type SubmissionBudget, SubmissionLimit } from './submission';
import type { ChosenRoute } from '../routing/router';
import { SubmitAttempt } from './submit-attempt';

/** How long a shutdown waits for requests whose answer is not the result itself. */
const DRAIN_MS = 3_000;

const SUBMITTING: SpanShape = { kind: 'internal' };

/** The submissions of this process. They start as soon as their jobs are claimed; only the shutdown waits for them. */
@Injectable()
export class Submissions {
  private readonly limit = new SubmissionLimit();

  constructor(
    private readonly providers: ProviderRegistry,
    private readonly leases: AttemptLeases,
    private readonly submitAttempt: SubmitAttempt,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  openBudget(): SubmissionBudget {
    return this.limit.openBudget(this.providers.list().map(({ id }) => id));
  }

  /** For claims that have just been committed. */
  begin(claimed: ClaimedJob<ChosenRoute>[], onSubmitted: OnSubmitted): void {
    if (claimed.length === 0) return;
    crashPoint('jobs.run.attempt_written');
    for (const one of claimed) this.submit(one, onSubmitted);
  }

  /** Resolves when no submission is in progress. Submissions whose answer is the result itself are aborted at once. */
  async drain(): Promise<void> {
    const allDone = this.limit.whenDone();
    this.limit.giveUp(({ hasBegun }) => hasBegun);
    const giveUpRest = setTimeout(() => this.limit.giveUp(() => true), DRAIN_MS);
    await allDone;
    clearTimeout(giveUpRest);
  }

  private submit({ job, attempt, choice }: ClaimedJob<ChosenRoute>, onSubmitted: OnSubmitted): void {
    const submission = new Submission(choice, attempt, this.leases.hold(attempt));
    const done = inTrace(job.traceparent, 'submit_attempt', SUBMITTING, (span) => {
      span.set({ 'kinora.job_id': job.id, 'kinora.provider': attempt.provider, 'kinora.attempt': attempt.number });
      return this.submitAttempt.execute(submission, job);
    })
      .catch((error: unknown) => {
        this.logger.error({ job_id: job.id, reason: String(error) }, 'job_not_submitted');
        return false;
      })
      .finally(() => submission.lease.release());
    this.limit.track(submission, done, onSubmitted);
  }
}
