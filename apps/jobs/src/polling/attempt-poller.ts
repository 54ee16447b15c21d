import { Injectable } from '@nestjs/common';
import { Batcher, withTimeout } from '@kinora/bus';
import { type ComputeProvider, ProviderRegistry, type UpstreamStatus } from '@kinora/compute';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { AttemptPollRepository } from '../attempt/attempt-poll.repository';
import { type AttemptProgress, type AttemptRow, type AttemptState, toUpstreamTask } from '../attempt/attempt.row';
import { ProgressRecorder } from '../attempt/progress-recorder';
import { FailurePolicy } from '../ending/failure-policy';
import { UNPOLLED_AFTER_MS } from '../job/job.repository';
import { meterCall, outcomeOfStatuses } from '../attempt/provider-meter';
import { Router } from '../routing/router';
import { InstanceRunRepository } from '../scheduling/instance-run.repository';
import { type NextStep, nextStep } from './next-step';

const BEGUN: AttemptState[] = ['answering', 'running'];
/** Above the number of places of an instance with few places. */
const MAX_OTHERS = 200;

interface PolledAttempt {
  attempt: AttemptRow;
  status: UpstreamStatus;
  isReached: boolean;
  step: NextStep;
}

function isLost({ step }: PolledAttempt): boolean {
  return step.kind === 'failure' && step.failure.kind === 'lost';
}

/** Polls attempts at their providers, and records what follows. */
@Injectable()
export class AttemptPoller {
  constructor(
    private readonly polls: AttemptPollRepository,
    private readonly progress: ProgressRecorder,
    private readonly failurePolicy: FailurePolicy,
    private readonly providers: ProviderRegistry,
    private readonly router: Router,
    private readonly runs: InstanceRunRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async poll(provider: ComputeProvider, attempts: AttemptRow[]): Promise<void> {
    let polled = await this.readSteps(provider, attempts);
    // A server that has lost one task has restarted, and the order of the polls must not decide which job goes first.
    if (polled.some(isLost) && this.router.losesTogether(provider)) {
      const others = await this.polls.claimOthers(provider.id, attempts, MAX_OTHERS);
      if (others.length > 0) polled = [...polled, ...(await this.readSteps(provider, others))];
    }
    if (provider.reloadsModels === true) await this.recordRuns(provider, polled);
    const begun = polled.filter(({ attempt }) => BEGUN.includes(attempt.state));
    const others = polled.filter((one) => !begun.includes(one));
    const results = [...(await this.takeAll(provider, begun)), ...(await this.takeAll(provider, others))];
    // All steps have finished by now. An attempt whose step failed is polled again.
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    if (polled.every(({ isReached }) => isReached)) this.router.tasksAreKnown(provider.id);
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

  private async readSteps(provider: ComputeProvider, attempts: AttemptRow[]): Promise<PolledAttempt[]> {
    const poll = (): Promise<Map<string, UpstreamStatus>> => provider.statuses(attempts.map(toUpstreamTask));
    this.router.pollSent(provider.id);
    const statuses = await meterCall(provider, 'status', poll, outcomeOfStatuses);
    this.router.reportPoll(provider.id, outcomeOfStatuses(statuses) === 'ok');
    return attempts.map((attempt) => {
      const status = statuses.get(attempt.upstream_id) ?? { state: 'unreachable' };
      return { attempt, status, isReached: status.state !== 'unreachable', step: nextStep(attempt, status, provider) };
    });
  }

  /** What instances that load models have run; a lost task proves a restart, after which nothing is loaded. */
  private async recordRuns(provider: ComputeProvider, polled: PolledAttempt[]): Promise<void> {
    for (const { attempt, status } of polled)
      if (status.state === 'succeeded' || status.state === 'failed') await this.runs.end(attempt, status.gpuMs);
    if (polled.some(isLost)) await this.runs.forget(provider.id);
  }

  private async takeAll(provider: ComputeProvider, polled: PolledAttempt[]): Promise<PromiseSettledResult<void>[]> {
    return await Promise.allSettled(
      polled.map(async ({ attempt, step }) => {
        if (step.kind === 'progress') await this.record(provider, step.progress);
        if (step.kind === 'failure') await this.failurePolicy.apply(attempt, step.failure);
      }),
    );
  }

  private async record(provider: ComputeProvider, progress: AttemptProgress): Promise<void> {
    if (!(await this.progress.record(progress))) return;
    // The task has ended or is parked at the backend, so its place is free.
    if (progress.state === 'collecting' || progress.parked === true) this.router.taskLeft(provider.id);
  }
}

/** The number of tasks that one request to the sandbox polls at most. */
const MAX_JOBS = 200;
/** The second batch runs while the first one waits for a slow backend. */
const MAX_CONCURRENT = 2;

interface Waiting {
  jobId: string;
  resolve: (isPolled: boolean) => void;
}

/** Polls attempts for readers of their jobs, in micro-batches: one poll for many readers of one job, few polls for many jobs. */
@Injectable()
export class InlinePoll {
  private readonly batcher = new Batcher<Waiting>({
    maxItems: MAX_JOBS,
    maxConcurrent: MAX_CONCURRENT,
    keyOf: ({ jobId }) => jobId,
    work: (waiting) => this.serve(waiting),
  });

  constructor(
    private readonly polls: AttemptPollRepository,
    private readonly poller: AttemptPoller,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** True if a poll was due, and finished within the budget. */
  async reconcile(jobId: string, budgetMs: number): Promise<boolean> {
    const polled = new Promise<boolean>((resolve) => this.batcher.add({ jobId, resolve }));
    return await withTimeout(polled, budgetMs, () => false);
  }

  private async serve(waiting: Waiting[]): Promise<void> {
    const polled = await this.poll([...new Set(waiting.map(({ jobId }) => jobId))]).catch((error: unknown) => {
      this.logger.warn({ reason: String(error) }, 'jobs_not_reconciled');
      return new Set<string>();
    });
    for (const { jobId, resolve } of waiting) resolve(polled.has(jobId));
  }

  private async poll(jobIds: string[]): Promise<Set<string>> {
    const attempts = await this.polls.claimUnpolled(jobIds, UNPOLLED_AFTER_MS);
    await this.poller.pollEach(attempts);
    return new Set(attempts.map(({ job_id }) => job_id));
  }
}
