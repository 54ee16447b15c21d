import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ProviderRegistry } from '@kinora/compute';
import { InjectLogger, type Logger, type WorkLoop } from '@kinora/service-kit';
import { Submissions } from '../dispatch/submissions';
import { ProbeProvider } from '../polling/use-cases/probe-provider.use-case';
import { ProviderLoops, runnerLoop } from './provider-loops';
import { Sweepers } from './sweepers';

/** Work must continue within five seconds of a backend's return: a probe that hangs, this pause, and a probe that is answered. */
const PROBE_EVERY_MS = 1_500;

/** Starts and stops the background work of this process. */
@Injectable()
export class Runner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loops: WorkLoop[] = [];

  constructor(
    private readonly providers: ProviderRegistry,
    private readonly providerLoops: ProviderLoops,
    private readonly probeProvider: ProbeProvider,
    private readonly submissions: Submissions,
    private readonly sweepers: Sweepers,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const providers = this.providers.list();
    // The prober of an instance works while its circuit breaker is open.
    const probers = providers.map((provider) =>
      runnerLoop('probe', () => this.probeProvider.execute(provider), this.logger, PROBE_EVERY_MS),
    );
    this.loops.push(...this.providerLoops.of(providers), ...probers, ...this.sweepers.loops());
    for (const loop of this.loops) loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    await this.submissions.drain();
  }
}
