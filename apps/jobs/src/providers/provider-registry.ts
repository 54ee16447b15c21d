import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { JobsConfig } from '../jobs.config';
import type { ComputeProvider } from './compute-provider.port';
import { SandboxProvider } from './sandbox/sandbox.provider';

/** The compute instances that this process can reach, by their id. */
@Injectable()
export class ProviderRegistry implements OnApplicationShutdown {
  private readonly sandbox: SandboxProvider;
  private readonly providers: Map<string, ComputeProvider>;

  constructor(config: JobsConfig) {
    this.sandbox = new SandboxProvider({ url: config.sandboxUrl, concurrency: config.sandboxConcurrency });
    this.providers = new Map([[this.sandbox.id, this.sandbox]]);
  }

  list(): ComputeProvider[] {
    return [...this.providers.values()];
  }

  /** Null for an instance that an operator has taken away while jobs were still routed to it. */
  find(id: string): ComputeProvider | null {
    return this.providers.get(id) ?? null;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sandbox.close();
  }
}
