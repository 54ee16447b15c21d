import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JobEnding } from '../job/job-ending';
import { JobRepository } from '../job/job.repository';
import type { ComputeProvider } from '../providers/compute-provider.port';
import { ProviderRegistry } from '../providers/provider-registry';
import { AttemptRepository } from './attempt.repository';
import type { AttemptRow } from './attempt.row';
import { type NextStep, nextStep } from './next-step';
import { toUpstreamTask } from './upstream-task';

/** Design: a job that its provider has proven to have lost is submitted once more, free of charge. */
const MAX_LOSSES = 1;

interface Seen {
  attempt: AttemptRow;
  step: NextStep;
}

/** What following a set of attempts came to. */
export interface FollowResult {
  /** Attempts whose outputs can be collected now. */
  ready: number;
  /** Attempts whose job is in line again. */
  requeued: number;
  /** When the first of the others is due; null when none is left. */
  nextCheckInMs: number | null;
}

/** Asks providers how claimed attempts stand, and writes down what follows from it. */
@Injectable()
export class AttemptFollower {
  constructor(
    private readonly attempts: AttemptRepository,
    private readonly jobs: JobRepository,
    private readonly ending: JobEnding,
    private readonly providers: ProviderRegistry,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async follow(provider: ComputeProvider, attempts: AttemptRow[]): Promise<FollowResult> {
    const statuses = await provider.statuses(attempts.map(toUpstreamTask));
    const seen = attempts.map((attempt) => ({
      attempt,
      step: nextStep(attempt, statuses.get(attempt.upstream_id) ?? { state: 'unreachable' }),
    }));
    const progress = await this.recordProgress(seen);
    const requeued = await Promise.all(seen.map((one) => this.settle(one)));
    return { ...progress, requeued: requeued.filter(Boolean).length };
  }

  /**
   * Looks at one job's attempt for a reader, if nobody has for so long; many readers lead to one look.
   * True if there is something new within the budget.
   */
  async reconcile(jobId: string, uncheckedForMs: number, budgetMs: number): Promise<boolean> {
    const attempt = await this.attempts.claimUnchecked(jobId, uncheckedForMs);
    const provider = attempt && this.providers.find(attempt.provider);
    if (!provider) return false;
    const followed = this.follow(provider, [attempt]).then(
      () => true,
      (error: unknown) => {
        this.logger.warn({ job_id: jobId, reason: String(error) }, 'job_not_reconciled');
        return false;
      },
    );
    return await Promise.race([followed, falseAfter(budgetMs)]);
  }

  private async recordProgress(seen: Seen[]): Promise<Omit<FollowResult, 'requeued'>> {
    const steps = seen.map(({ step }) => step).filter((step) => step.kind === 'progress');
    const ours = new Set(await this.attempts.recordProgress(steps.map(({ progress }) => progress)));
    const current = steps.filter(({ progress }) => ours.has(progress.job_id));
    const idsOf = (some: typeof steps): string[] => some.map(({ progress }) => progress.job_id);
    const started = current.filter((step) => step.started);
    const ready = current.filter((step) => step.ready);
    if (started.length > 0) await this.jobs.start(idsOf(started));
    if (ready.length > 0) await this.jobs.extendForCollection(idsOf(ready));
    const waits = current.filter((step) => !step.ready).map(({ progress }) => progress.next_check_in_ms);
    return { ready: ready.length, nextCheckInMs: waits.length > 0 ? Math.min(...waits) : null };
  }

  /** Ends or repeats what is over at the provider. True when the job is in line again. */
  private async settle({ attempt, step }: Seen): Promise<boolean> {
    if (step.kind === 'progress') return false;
    if (step.kind === 'lost' && attempt.state === 'submitting') {
      // Whoever was to submit it died or was held up before: nothing was taken, so nothing was lost.
      return await this.attempts.requeue(attempt, { outcome: 'refused', problem: null, delay_ms: 0 });
    }
    if (step.kind === 'lost' && (await this.attempts.countLost(attempt.job_id)) < MAX_LOSSES) {
      this.logger.warn({ job_id: attempt.job_id, attempt: attempt.number }, 'attempt_lost');
      return await this.attempts.requeue(attempt, { outcome: 'lost', problem: null, delay_ms: 0 });
    }
    const gpuMs = step.kind === 'failed' ? step.gpuMs : null;
    await this.ending.endByAttempt(
      attempt,
      { status: 'failed', error_code: 'provider_error', gpu_ms: gpuMs },
      step.kind,
    );
    return false;
  }
}

function falseAfter(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), milliseconds).unref());
}
