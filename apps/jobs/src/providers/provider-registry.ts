import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Egress } from '@kinora/egress';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JobsConfig } from '../jobs.config';
import type { ComputeProvider } from './compute-provider.port';
import { PROVIDER_TYPES } from './provider-types';

/** The compute instances that this process can reach, by their id. */
@Injectable()
export class ProviderRegistry implements OnApplicationShutdown {
  private readonly providers: Map<string, ComputeProvider>;

  constructor(
    { sandboxUrl: url, sandboxConcurrency: concurrency }: JobsConfig,
    egress: Egress,
    @InjectLogger() logger: Logger,
  ) {
    const instance = { id: 'sandbox', url, headers: {}, concurrency };
    const built = PROVIDER_TYPES.filter(({ type }) => type === instance.id).map((type) =>
      type.create(instance, new type.settings(), { egress, logger, templatesDir: null }),
    );
    this.providers = new Map(built.map((provider) => [provider.id, provider]));
  }

  list(): ComputeProvider[] {
    return [...this.providers.values()];
  }

  /** Null for an instance that an operator has taken away while jobs were still routed to it. */
  find(id: string): ComputeProvider | null {
    return this.providers.get(id) ?? null;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.list().map((provider) => provider.close()));
  }
}
