import { Injectable } from '@nestjs/common';
import type { ComputeProvider } from '@kinora/compute';
import { InjectLogger, type Logger, WakeUp, WorkLoop } from '@kinora/service-kit';
import { FIRST_POLL_MS } from '../attempt/attempt.row';
import type { WokenLoop } from '../attempt/progress-recorder';
import { CollectOutputs } from '../collecting/use-cases/collect-outputs.use-case';
import { CreatedJobs } from '../dispatch/created-jobs';
import { DispatchCreated } from '../dispatch/use-cases/dispatch-created.use-case';
import { DispatchJobs } from '../dispatch/use-cases/dispatch-jobs.use-case';
import { CancelAttempts } from '../ending/use-cases/cancel-attempts.use-case';
import { JobsConfig } from '../jobs.config';
import { PollAttempts } from '../polling/use-cases/poll-attempts.use-case';

/** An idle loop polls this often, because signals and hints can be lost. */
const POLL_MS = 1_000;

/** A round that fails is logged, and the next one comes at its time. */
export function runnerLoop(
  name: string,
  work: () => Promise<{ more: boolean }>,
  logger: Logger,
  idleMs = POLL_MS,
): WorkLoop {
  return new WorkLoop({
    work: async () => ((await work()).more ? 'more' : 'idle'),
    idleMs,
    onFailure: (error) => logger.warn({ loop: name, reason: String(error) }, 'runner_interrupted'),
  });
}

/**
 * The loops that send jobs to providers: one for jobs that this process has just created, one for rounds over all waiting jobs.
 */
@Injectable()
export class DispatchLoops {
  constructor(
    private readonly createdJobs: CreatedJobs,
    private readonly dispatchCreated: DispatchCreated,
    private readonly dispatchJobs: DispatchJobs,
    private readonly wakeUp: WakeUp<WokenLoop>,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @param onAccepted called with each provider that has accepted a job. */
  list(onAccepted: (provider: string) => void): WorkLoop[] {
    const onSubmitted = (provider: string, isTaken: boolean): void => {
      if (!isTaken || this.dispatchJobs.needsSlot) rounds.nudge();
      if (isTaken) onAccepted(provider);
    };
    const rounds = runnerLoop('dispatch', () => this.dispatchJobs.execute(onSubmitted), this.logger);
    const sender = runnerLoop('dispatch_accepted', () => this.dispatchCreated.execute(onSubmitted), this.logger);
    this.wakeUp.subscribe('dispatch', () => rounds.nudge());
    this.createdJobs.onCreated(() => sender.nudge());
    return [rounds, sender];
  }
}

/** GPU time after a cancel is wasted, so cancels are sent soon. */
const CANCEL_EVERY_MS = 250;
/** The shortest time between two polls of one backend. One request polls all attempts that are due. */
const TICK_MS = 100;

/** The loops that run jobs at their providers. Each works on rows, so any process continues where another one died. */
@Injectable()
export class ProviderLoops {
  constructor(
    private readonly config: JobsConfig,
    private readonly dispatchLoops: DispatchLoops,
    private readonly pollAttempts: PollAttempts,
    private readonly collectOutputs: CollectOutputs,
    private readonly cancelAttempts: CancelAttempts,
    private readonly wakeUp: WakeUp<WokenLoop>,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  of(providers: ComputeProvider[]): WorkLoop[] {
    const pollers = new Map(providers.map((provider) => [provider.id, this.poller(provider)]));
    const collectors = providers.flatMap((provider) => this.collectors(provider));
    const dispatchers = this.dispatchLoops.list((provider) => {
      const poller = pollers.get(provider);
      if (poller) nudgeIn(poller, FIRST_POLL_MS);
    });
    this.wakeUp.subscribe('collect', () => {
      for (const collector of collectors) collector.nudge();
    });
    const canceler = this.loop('cancel', () => this.cancelAttempts.execute(), CANCEL_EVERY_MS);
    return [...dispatchers, ...pollers.values(), ...collectors, canceler];
  }

  private poller(provider: ComputeProvider): WorkLoop {
    const pace = new Pace(TICK_MS);
    const poller = this.loop('follow', async () => {
      await pace.next();
      const { nextPollInMs, more } = await this.pollAttempts.execute(provider);
      if (nextPollInMs !== null) nudgeIn(poller, nextPollInMs);
      return { more };
    });
    provider.onHint?.((upstreamId) => {
      const rescheduled = this.pollAttempts.pollSoon(provider, upstreamId).then(() => poller.nudge());
      // Without the hint the attempt is polled at its scheduled time.
      rescheduled.catch((error: unknown) => this.logger.warn({ reason: String(error) }, 'hint_not_followed'));
    });
    return poller;
  }

  private collectors(provider: ComputeProvider): WorkLoop[] {
    return Array.from({ length: this.config.collectors }, () =>
      this.loop('collect', () => this.collectOutputs.execute(provider)),
    );
  }

  private loop(name: string, work: () => Promise<{ more: boolean }>, idleMs?: number): WorkLoop {
    return runnerLoop(name, work, this.logger, idleMs);
  }
}

function nudgeIn(loop: WorkLoop, milliseconds: number): void {
  setTimeout(() => loop.nudge(), milliseconds + 5).unref();
}

/** Spaces the rounds of a loop: each starts at least this interval after the start of the previous one. */
class Pace {
  private lastAtMs = -Infinity;

  constructor(private readonly intervalMs: number) {}

  async next(): Promise<void> {
    const waitMs = this.lastAtMs + this.intervalMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    this.lastAtMs = performance.now();
  }
}
