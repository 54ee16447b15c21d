import path from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Egress } from '@kinora/egress';
import { ConfigError, InjectLogger, type Logger } from '@kinora/service-kit';
import { JobsConfig } from '../../../apps/jobs/src/jobs.config';
import { providerConcurrency } from '../../../apps/jobs/src/jobs.metrics';
import { assertRoutedTemplates } from './assert-routed-templates';
import type { ComputeProvider } from './compute-provider.port';
import { type Instance, ProviderLoader } from './provider-loader';
import { PROVIDER_TYPES } from './provider-types';
import { SandboxProvider } from './sandbox/sandbox.provider';

/** The compute instances that this process can reach, by their id: those of the operator, and the sandbox if there is one. */
@Injectable()
export class ProviderRegistry implements OnApplicationShutdown {
  private readonly instances: ReadonlyMap<string, Instance>;

  /** @throws ConfigError that names the first wrong line, or says that nothing can run a job. */
  constructor(config: JobsConfig, egress: Egress, @InjectLogger() logger: Logger) {
    const { configDir, environment } = config;
    const templatesDir = configDir === '' ? null : path.join(configDir, 'templates');
    const operators = new ProviderLoader(PROVIDER_TYPES, { egress, logger, templatesDir }).load(configDir, environment);
    const byId = new Map(operators.map((instance) => [instance.provider.id, instance]));
    // The operator's own entry of this id takes the place of the built-in one.
    if (!byId.has('sandbox') && config.sandboxUrl !== '') byId.set('sandbox', builtInSandbox(config, egress));
    if (byId.size === 0)
      throw new ConfigError('KINORA_SANDBOX_URL: must be set where providers.yaml names no instance');
    assertRoutedTemplates(configDir, new Map([...byId].map(([id, { provider }]) => [id, provider])));
    this.instances = byId;
    for (const { provider } of byId.values())
      providerConcurrency.readBy({ provider: provider.id }, () => provider.concurrency);
  }

  list(): ComputeProvider[] {
    return this.listInstances().map(({ provider }) => provider);
  }

  listInstances(): Instance[] {
    return [...this.instances.values()];
  }

  /** Null for an instance that an operator has taken away while jobs were still routed to it. */
  find(id: string): ComputeProvider | null {
    return this.findInstance(id)?.provider ?? null;
  }

  findInstance(id: string): Instance | null {
    return this.instances.get(id) ?? null;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.list().map((provider) => provider.close()));
  }
}

function builtInSandbox({ sandboxUrl: url, sandboxConcurrency: concurrency }: JobsConfig, egress: Egress): Instance {
  const provider = new SandboxProvider({ id: 'sandbox', url, headers: {}, concurrency }, egress);
  return { provider, type: 'sandbox', loraDir: null };
}
