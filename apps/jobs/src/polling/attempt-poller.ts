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

/** Polls attempts at their providers, and records what follows. */
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

  /** One poll of attempts at one provider. */
  async poll(provider: ComputeProvider, attempts: AttemptRow[]): Promise<void> {
    const poll = (): Promise<Map<string, UpstreamStatus>> => provider.statuses(attempts.map(toUpstreamTask));
    this.router.pollSent(provider.id);
    const statuses = await meterCall(provider, 'status', poll, outcomeOfStatuses);
    this.router.reportPoll(provider.id, outcomeOfStatuses(statuses) === 'ok');
    const steps = attempts.map(async (attempt) => {
      const step = nextStep(attempt, statuses.get(attempt.upstream_id) ?? { state: 'unreachable' }, provider);
      if (step.kind === 'progress') await this.record(provider, step.progress);
      if (step.kind === 'failure') await this.failurePolicy.apply(attempt, step.failure);
    });
    const failed = (await Promise.allSettled(steps)).find(({ status }) => status === 'rejected');
    // All steps have finished by now. An attempt whose step failed is polled again.
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** Polls attempts at any provider. Never throws: errors are logged, and the next poll comes. */
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
   * Polls one attempt at once after a callback, and returns after the budget at the latest. Does nothing if there is nothing to
   * poll: the attempt has ended, or the answer to its submission is not recorded yet. In that case a poll follows it.
   */
  async pollNow(attempt: { job_id: string; number: number }, budgetMs: number): Promise<void> {
    const claimed = await this.polls.claimNamed(attempt);
    if (claimed) await withTimeout(this.pollEach([claimed]), budgetMs, () => undefined);
  }

  private async record(provider: ComputeProvider, progress: AttemptProgress): Promise<void> {
    if (!(await this.progress.record(progress))) return;
    // The task has ended or is parked at the backend, so its place is free.
    if (progress.state === 'collecting' || progress.parked === true) this.load.leave(provider.id);
  }
}
