import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { FIRST_CHECK_MS } from '../attempt/next-step';
import { JobsConfig } from '../jobs.config';
import type { ComputeProvider } from '../providers/compute-provider.port';
import { CancelAttempts } from '../use-cases/cancel-attempts/cancel-attempts.use-case';
import { CollectOutputs } from '../use-cases/collect-outputs/collect-outputs.use-case';
import { DispatchJobs } from '../use-cases/dispatch-jobs/dispatch-jobs.use-case';
import { FollowAttempts } from '../use-cases/follow-attempts/follow-attempts.use-case';

/** The safety net under every hint: an idle loop looks by itself this often. */
const POLL_MS = 1_000;
/** A GPU that works for nobody costs money by the moment. */
const CANCEL_EVERY_MS = 250;

/** The loops that take jobs through their providers, each over rows, so that any process can go on where one died. */
@Injectable()
export class ProviderLoops {
  constructor(
    private readonly config: JobsConfig,
    private readonly dispatchJobs: DispatchJobs,
    private readonly followAttempts: FollowAttempts,
    private readonly collectOutputs: CollectOutputs,
    private readonly cancelAttempts: CancelAttempts,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  of(provider: ComputeProvider): { dispatch: WorkLoop; others: WorkLoop[] } {
    const collectors = Array.from({ length: this.config.collectors }, () =>
      this.loop('collect', () => this.collectOutputs.execute(provider)),
    );
    const follow = this.loop('follow', async () => {
      const { ready, requeued, nextCheckInMs, more } = await this.followAttempts.execute(provider);
      for (const collector of collectors.slice(0, ready)) collector.nudge();
      if (requeued > 0) dispatch.nudge();
      if (nextCheckInMs !== null) nudgeIn(follow, nextCheckInMs);
      return { more };
    });
    const dispatch = this.loop('dispatch', async () => {
      await this.dispatchJobs.execute(provider, () => {
        dispatch.nudge();
        nudgeIn(follow, FIRST_CHECK_MS);
      });
      return { more: false };
    });
    return { dispatch, others: [follow, ...collectors] };
  }

  ofAll(): WorkLoop[] {
    return [this.loop('cancel', () => this.cancelAttempts.execute(), CANCEL_EVERY_MS)];
  }

  private loop(name: string, work: () => Promise<{ more: boolean }>, idleMs = POLL_MS): WorkLoop {
    return new WorkLoop({
      work: async () => ((await work()).more ? 'more' : 'idle'),
      idleMs,
      onFailure: (error) => this.logger.warn({ loop: name, reason: String(error) }, 'runner_interrupted'),
    });
  }
}

function nudgeIn(loop: WorkLoop, milliseconds: number): void {
  setTimeout(() => loop.nudge(), milliseconds + 5).unref();
}
