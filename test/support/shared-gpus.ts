import { FakeComfyui, LoadingGpu } from '@kinora/compute/fixtures';
import type { Job } from '@kinora/contracts/jobs/job';
import type { ApiClient } from './api-client';
import { LocalStack } from './local-stack';
import { openAccount } from './operator';

const TEMPLATES = ['cpu-text-to-image-standin', 'sdxl-text-to-image', 'flux-dev-text-to-image'];
const LONG_MS = 120_000;
/** How many jobs of several models arrive at once. */
export const JOBS = 16;

export interface CreatedJob {
  client: ApiClient;
  id: string;
}

/** A whole stack with fake ComfyUI servers that load models, each group of cards with models `<group>-0` to `<group>-2`. */
export class SharedGpus {
  private constructor(
    private readonly groups: ReadonlyMap<string, LoadingGpu[]>,
    readonly stack: LocalStack,
  ) {}

  /** @param cards how many cards each group has. */
  static async start(
    cards: Record<string, number>,
    times: { runMs: number; loadMs: number },
    env: NodeJS.ProcessEnv = {},
  ): Promise<SharedGpus> {
    const groups = new Map<string, LoadingGpu[]>();
    const providers: object[] = [];
    const models: object[] = [];
    for (const [group, count] of Object.entries(cards)) {
      const gpus = Array.from({ length: count }, () => new LoadingGpu(new FakeComfyui(), times));
      groups.set(group, gpus);
      const instances = gpus.map((_, index) => `${group}-card-${index}`);
      for (const [index, gpu] of gpus.entries()) {
        // With the least that an operator can set, a card has to get its next prompt in time all the same.
        providers.push({ id: instances[index], type: 'comfyui', url: await gpu.server.start(), concurrency: 1 });
        gpu.start();
      }
      models.push(...TEMPLATES.map((template, index) => toModel(`${group}-${index}`, template, instances)));
    }
    const config = { 'providers.yaml': { providers }, 'catalog.yaml': { models } };
    return new SharedGpus(groups, await LocalStack.start({ env, config }));
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    for (const gpu of [...this.groups.values()].flat()) {
      gpu.stop();
      await gpu.server.stop();
    }
  }

  of(group: string): LoadingGpu[] {
    return this.groups.get(group) ?? [];
  }

  loadsOf(group: string): number {
    return this.of(group).reduce((sum, { loads }) => sum + loads.length, 0);
  }

  /** Jobs of several models in turn, each model's of an account of its own. */
  async create(group: string, models: number): Promise<CreatedJob[]> {
    const accounts = await Promise.all(Array.from({ length: models }, () => openAccount(this.stack)));
    return await Promise.all(
      Array.from({ length: JOBS }, async (_, index) => {
        const { client } = accounts[index % models] as (typeof accounts)[number];
        const { id } = await client.generate({ model: `${group}-${index % models}`, prompt: promptOf(index) });
        return { client, id };
      }),
    );
  }
}

/** Of the job at this place among those that were created together. */
export const promptOf = (index: number): string => `a colour, number ${index}`;

export async function allSucceeded(created: CreatedJob[]): Promise<Job[]> {
  const jobs = await Promise.all(created.map(({ client, id }) => client.ended(id, LONG_MS)));
  expect(jobs.map(({ status }) => status)).toEqual(created.map(() => 'succeeded'));
  return jobs;
}

/** Without a load_ms: what a load costs is measured. */
function toModel(id: string, template: string, instances: string[]): object {
  return {
    id,
    type: 'image',
    label: id,
    capabilities: { t2i: true, sizes: ['512x512'], max_n: 1, max_refs: 0 },
    price: { micros: 1, per: 'image' },
    routes: instances.map((provider) => ({ provider, template })),
  };
}
