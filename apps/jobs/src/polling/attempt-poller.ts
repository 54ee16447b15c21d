import { Injectable } from '@nestjs/common';
import { withTimeout } from '@kinora/bus';
import { type ComputeProvider, ProviderRegistry, type UpstreamStatus } from '@kinora/compute';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { ProviderLoad } from '../routing/provider-load';
import { meterCall, outcomeOfStatuses } from '../attempt/provider-meter';
import { Router } from '../routing/router';
import { FailurePolicy } from '../ending/failure-policy';
import { AttemptPollRepository } from '../attempt/attempt-poll.repository';
import type { AttemptProgress, AttemptRow } from '../attempt/attempt.row';
import { nextStep } from './next-step';
import { ProgressRecorder } from '../attempt/progress-recorder';
import { toUpstreamTask } from '../attempt/upstream-task';

/** Asks providers how attempts stand, and writes down what follows from it. */
@Injectable()
export class AttemptPoller {
  constructor(
    private readonly polls: AttemptPollRepository,
    private readonly progress: ProgressRecorder,
    private readonly failurePolicy: FailurePolicy,
    private readonly providers: ProviderRegistry,
    private readonly load: ProviderLoad,
    private readonly router: Router,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** One look at attempts of one provider. */
  async poll(provider: ComputeProvider, attempts: AttemptRow[]): Promise<void> {
    const poll = (): Promise<Map<string, UpstreamStatus>> => provider.statuses(attempts.map(toUpstreamTask));
    const statuses = await meterCall(provider, 'status', poll, outcomeOfStatuses);
    if (outcomeOfStatuses(statuses) === 'unreachable') this.router.suspect(provider.id);
    const steps = attempts.map(async (attempt) => {
      const step = nextStep(attempt, statuses.get(attempt.upstream_id) ?? { state: 'unreachable' }, provider);
      if (step.kind === 'progress') await this.record(provider, step.progress);
      if (step.kind === 'failure') await this.failurePolicy.apply(attempt, step.failure);
    });
    const failed = (await Promise.allSettled(steps)).find(({ status }) => status === 'rejected');
    // Each of the others has had its turn by now; what failed is looked at again.
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** Looks at attempts of any provider. Never throws: whatever went wrong, the next look comes. */
  async pollEach(attempts: AttemptRow[]): Promise<void> {
    const ids = [...new Set(attempts.map(({ provider }) => provider))];
    await Promise.all(
      ids.map(async (id) => {
        const provider = this.providers.find(id);
        const atProvider = attempts.filter((attempt) => attempt.provider === id);
        if (provider) await this.poll(provider, atProvider);
      }),
    ).catch((error: unknown) => this.logger.warn({ reason: String(error) }, 'attempts_not_followed'));
  }

  /**
   * Looks at one attempt for somebody who has heard that something has happened, and is not kept waiting for longer than
   * the budget. Nothing happens where there is nothing to look for: the attempt is over, or so young that the answer to
   * its submission is not written down, and will be followed by a look.
   */
  async pollNow(attempt: { job_id: string; number: number }, budgetMs: number): Promise<void> {
    const claimed = await this.polls.claimNamed(attempt);
    if (claimed) await withTimeout(this.pollEach([claimed]), budgetMs, () => undefined);
  }

  private async record(provider: ComputeProvider, progress: AttemptProgress): Promise<void> {
    if (!(await this.progress.record(progress))) return;
    // The backend is done with it, or has parked it, and has room for the next one.
    if (progress.state === 'collecting' || progress.parked === true) this.load.leave(provider.id);
  }
}
