import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ProviderRegistry } from '@kinora/compute';
import type { WorkLoop } from '@kinora/service-kit';
import { JobsConfig } from '../jobs.config';
import { Submissions } from '../dispatch/submissions';
import { ProbeLoops, ProviderLoops } from './provider-loops';
import { Sweepers } from './sweepers';

/** Starts and stops the background work of this process. */
@Injectable()
export class Runner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loops: WorkLoop[] = [];

  constructor(
    private readonly config: JobsConfig,
    private readonly providers: ProviderRegistry,
    private readonly providerLoops: ProviderLoops,
    private readonly probeLoops: ProbeLoops,
    private readonly submissions: Submissions,
    private readonly sweepers: Sweepers,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.has('runner')) return;
    const providers = this.providers.list();
    this.loops.push(...this.providerLoops.of(providers), ...this.probeLoops.of(providers), ...this.sweepers.loops());
    for (const loop of this.loops) loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    await this.submissions.drain();
  }
}
