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
  }

  /** A job has been queued somewhere. */
  wake(): void {
    for (const loop of this.dispatchLoops) loop.nudge();
  }

  private drive(provider: ComputeProvider): void {
    const collect = this.loop(
      'collect',
      async () => await this.collectOutputs.execute(provider, this.config.collectors),
    );
    const follow = this.loop('follow', async () => {
      const { ready, requeued, nextCheckInMs, more } = await this.followAttempts.execute(provider);
      if (ready > 0) collect.nudge();
      if (requeued > 0) dispatch.nudge();
      if (nextCheckInMs !== null) nudgeIn(follow, nextCheckInMs);
      return { more };
    });
    const dispatch = this.loop('dispatch', async () => {
      const { submitted, more } = await this.dispatchJobs.execute(provider);
      if (submitted > 0) nudgeIn(follow, FIRST_CHECK_MS);
      return { more };
    });
    this.dispatchLoops.push(dispatch);
    this.loops.push(dispatch, follow, collect);
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
