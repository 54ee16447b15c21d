import { Injectable } from '@nestjs/common';
import type { ComputeProvider } from '@kinora/compute';
import { InjectLogger, type Logger, WakeUp, type WorkLoop } from '@kinora/service-kit';
import { FIRST_CHECK_MS } from '../attempt/check-interval';
import type { WokenLoop } from '../attempt/woken-loop';
import { JobsConfig } from '../jobs.config';
import { CancelAttempts } from '../use-cases/cancel-attempts/cancel-attempts.use-case';
import { CollectOutputs } from '../use-cases/collect-outputs/collect-outputs.use-case';
import { FollowAttempts } from '../use-cases/follow-attempts/follow-attempts.use-case';
import { DispatchLoops } from './dispatch-loops';
import { runnerLoop } from './runner-loop';

/** A GPU that works for nobody costs money by the moment. */
const CANCEL_EVERY_MS = 250;
/** However many attempts are under way, a backend is asked no more often than this: all that are due then, in one request. */
const TICK_MS = 100;

/** The loops that take jobs through their providers, each over rows, so that any process can go on where one died. */
@Injectable()
export class ProviderLoops {
  constructor(
    private readonly config: JobsConfig,
    private readonly dispatchLoops: DispatchLoops,
    private readonly followAttempts: FollowAttempts,
    private readonly collectOutputs: CollectOutputs,
    private readonly cancelAttempts: CancelAttempts,
    private readonly wakeUp: WakeUp<WokenLoop>,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  of(providers: ComputeProvider[]): WorkLoop[] {
    const followers = new Map(providers.map((provider) => [provider.id, this.follower(provider)]));
    const collectors = providers.flatMap((provider) => this.collectors(provider));
    const dispatchers = this.dispatchLoops.list((provider) => {
      const follower = followers.get(provider);
      if (follower) nudgeIn(follower, FIRST_CHECK_MS);
    });
    this.wakeUp.subscribe('collect', () => {
      for (const collector of collectors) collector.nudge();
    });
    const canceler = this.loop('cancel', () => this.cancelAttempts.execute(), CANCEL_EVERY_MS);
    return [...dispatchers, ...followers.values(), ...collectors, canceler];
  }

  private follower(provider: ComputeProvider): WorkLoop {
    const pace = new Pace(TICK_MS);
    const follower = this.loop('follow', async () => {
      await pace.next();
      const { nextCheckInMs, more } = await this.followAttempts.execute(provider);
      if (nextCheckInMs !== null) nudgeIn(follower, nextCheckInMs);
      return { more };
    });
    provider.onHint?.((upstreamId) => {
      const hastened = this.followAttempts.hasten(provider, upstreamId).then(() => follower.nudge());
      // Without the hint the attempt is looked at in its own time.
      hastened.catch((error: unknown) => this.logger.warn({ reason: String(error) }, 'hint_not_followed'));
    });
    return follower;
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

/** Keeps rounds apart: each begins at least so long after the one before began. */
class Pace {
  private lastAtMs = -Infinity;

  constructor(private readonly intervalMs: number) {}

  async next(): Promise<void> {
    const waitMs = this.lastAtMs + this.intervalMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    this.lastAtMs = performance.now();
  }
}
