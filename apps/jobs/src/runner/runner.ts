import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { FIRST_CHECK_MS } from '../attempt/next-step';
import { JobsConfig } from '../jobs.config';
import type { ComputeProvider } from '../providers/compute-provider.port';
import { ProviderRegistry } from '../providers/provider-registry';
import { CollectOutputs } from '../use-cases/collect-outputs/collect-outputs.use-case';
import { DispatchJobs } from '../use-cases/dispatch-jobs/dispatch-jobs.use-case';
import { FollowAttempts } from '../use-cases/follow-attempts/follow-attempts.use-case';
import { Sweepers } from './sweepers';

/** The safety net under every hint: an idle loop looks by itself this often. */
const POLL_MS = 1_000;

/** Drives jobs at their providers: three loops a provider, each over rows, so that any process can go on where one died. */
@Injectable()
export class Runner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly dispatchLoops: WorkLoop[] = [];
  private readonly loops: WorkLoop[] = [];

  constructor(
    private readonly config: JobsConfig,
    private readonly providers: ProviderRegistry,
    private readonly dispatchJobs: DispatchJobs,
    private readonly followAttempts: FollowAttempts,
    private readonly collectOutputs: CollectOutputs,
    private readonly sweepers: Sweepers,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.has('runner')) return;
    for (const provider of this.providers.list()) this.drive(provider);
    this.loops.push(...this.sweepers.loops());
    for (const loop of this.loops) loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    await this.dispatchJobs.drain();
  }

  /** A job has been queued somewhere. */
  wake(): void {
    for (const loop of this.dispatchLoops) loop.nudge();
  }

  private drive(provider: ComputeProvider): void {
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
    this.dispatchLoops.push(dispatch);
    this.loops.push(dispatch, follow, ...collectors);
  }

  private loop(name: string, work: () => Promise<{ more: boolean }>): WorkLoop {
    return new WorkLoop({
      work: async () => ((await work()).more ? 'more' : 'idle'),
      idleMs: POLL_MS,
      onFailure: (error) => this.logger.warn({ loop: name, reason: String(error) }, 'runner_interrupted'),
    });
  }
}

function nudgeIn(loop: WorkLoop, milliseconds: number): void {
  setTimeout(() => loop.nudge(), milliseconds + 5).unref();
}
