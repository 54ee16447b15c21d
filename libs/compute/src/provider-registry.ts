import path from 'node:path';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Egress } from '@kinora/egress';
import { ConfigError, type Environment, type Logger, SYSTEM_CLOCK } from '@kinora/service-kit';
import { assertRoutes } from './assert-routes';
import { cogType } from './cog/cog.provider';
import { comfyuiType } from './comfyui/comfyui.provider';
import type { ComputeProvider } from './compute-provider.port';
import { falType } from './fal/fal.provider';
import { openAiImagesType } from './openai-images/openai-images.provider';
import { type Instance, ProviderLoader } from './provider-loader';
import type { ProviderType } from './provider-type';
import { replicateType } from './replicate/replicate.provider';
import { runpodType } from './runpod/runpod.provider';
import { SandboxProvider, sandboxType } from './sandbox/sandbox.provider';

/** All adapters; add a new one here. */
export const PROVIDER_TYPES: readonly ProviderType[] = [
  sandboxType,
  cogType,
  comfyuiType,
  falType,
  openAiImagesType,
  runpodType,
  replicateType,
];

export interface InstanceSources {
  /** The folder of the operator's files, with providers.yaml and catalog.yaml; empty without one. */
  configDir: string;
  /** The variables for `${NAME}` in those files. */
  environment: Environment;
  /** The address of the built-in sandbox; empty without one. */
  sandboxUrl: string;
  sandboxConcurrency: number;
}

/** The compute instances of this process, by their id: those of the operator, and the sandbox if it has an address. */
export class ProviderRegistry implements OnApplicationShutdown {
  private readonly instances: ReadonlyMap<string, Instance>;
  private readonly loading: string[];

  /** @throws ConfigError that names the first wrong line, or that no instance is configured. */
  constructor(sources: InstanceSources, egress: Egress, logger: Logger) {
    const { configDir, environment, sandboxUrl } = sources;
    const templatesDir = configDir === '' ? null : path.join(configDir, 'templates');
    const services = { egress, logger, clock: SYSTEM_CLOCK, templatesDir };
    const operators = new ProviderLoader(PROVIDER_TYPES, services).load(configDir, environment);
    const byId = new Map(operators.map((instance) => [instance.provider.id, instance]));
    // The operator's own entry with this id replaces the built-in one.
    if (!byId.has('sandbox') && sandboxUrl !== '') byId.set('sandbox', builtInSandbox(sources, egress));
    if (byId.size === 0)
      throw new ConfigError('KINORA_SANDBOX_URL: must be set where providers.yaml names no instance');
    assertRoutes(configDir, byId);
    this.instances = byId;
    this.loading = this.list().flatMap(({ id, reloadsModels }) => (reloadsModels === true ? [id] : []));
  }

  list(): ComputeProvider[] {
    return this.listInstances().map(({ provider }) => provider);
  }

  /** The ids of those that need time to load a model. */
  listLoading(): string[] {
    return this.loading;
  }

  listInstances(): Instance[] {
    return [...this.instances.values()];
  }

  /** Null for an instance that an operator has removed while jobs were still routed to it. */
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

function builtInSandbox(
  { sandboxUrl: url, sandboxConcurrency: concurrency }: InstanceSources,
  egress: Egress,
): Instance {
  const provider = new SandboxProvider({ id: 'sandbox', url, headers: {}, concurrency }, egress);
  return { provider, type: 'sandbox', loraDir: null };
}
