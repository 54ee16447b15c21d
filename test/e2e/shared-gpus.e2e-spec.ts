import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { FakeComfyui, type GpuWork, LoadingGpu } from '@kinora/compute/fixtures';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { waitFor } from '@kinora/testing';
import type { ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';

/** A card that takes four runs to load a model, at a quarter of the time of a small real one. */
const TIMES = { runMs: 250, loadMs: 1_000 };
const TEMPLATES = ['cpu-text-to-image-standin', 'sdxl-text-to-image', 'flux-dev-text-to-image'];
const CARDS = { two: 1, three: 1, pair: 2, dying: 1, estimated: 1 };
type Cards = keyof typeof CARDS;
const JOBS = 16;
const LONG_MS = 120_000;
/** What the next task of a loaded model may be late. */
const GAP_MS = 50;
/** As for models that share no card (estimates.e2e-spec.ts). */
const ERROR_MAX = 0.5;

/** Fake ComfyUI servers that run one prompt at a time, and the configuration of a stack that uses them. */
class SharedGpus {
  private readonly cards = new Map<string, LoadingGpu[]>();
  configDir = '';

  async start(): Promise<void> {
    this.configDir = await mkdtemp(path.join(os.tmpdir(), 'kinora-gpus-'));
    const providers: object[] = [];
    const models: object[] = [];
    for (const [name, count] of Object.entries(CARDS)) {
      const cards = Array.from({ length: count }, () => new LoadingGpu(new FakeComfyui(), TIMES));
      this.cards.set(name, cards);
      const routes: { provider: string }[] = [];
      for (const [index, card] of cards.entries()) {
        const id = `${name}-${index}`;
        providers.push({ id, type: 'comfyui', url: await card.server.start() });
        routes.push({ provider: id });
        card.start();
      }
      models.push(...TEMPLATES.map((template, index) => toModel(`${name}-${index}`, template, routes)));
    }
    await writeFile(path.join(this.configDir, 'providers.yaml'), JSON.stringify({ providers }));
    await writeFile(path.join(this.configDir, 'catalog.yaml'), JSON.stringify({ models }));
  }

  of(name: Cards): LoadingGpu[] {
    return this.cards.get(name) ?? [];
  }

  async stop(): Promise<void> {
    for (const card of [...this.cards.values()].flat()) {
      card.stop();
      await card.server.stop();
    }
    await rm(this.configDir, { recursive: true });
  }
}

/** Without a load_ms: what a load costs is measured. */
function toModel(id: string, template: string, routes: object[]): object {
  return {
    id,
    type: 'image',
    label: id,
    capabilities: { t2i: true, sizes: ['512x512'], max_n: 1, max_refs: 0 },
    price: { micros: 1, per: 'image' },
    routes: routes.map((route) => ({ ...route, template })),
  };
}

interface Created {
  client: ApiClient;
  id: string;
}

const promptOf = (index: number): string => `a colour, number ${index}`;

/** Jobs of several models, each of another account, in turn. */
async function createMixed(stack: LocalStack, cards: Cards, models: number): Promise<Created[]> {
  const clients = await Promise.all(Array.from({ length: models }, async () => (await openAccount(stack)).client));
  return await Promise.all(
    Array.from({ length: JOBS }, async (_, index) => {
      const client = clients[index % models] as ApiClient;
      const { id } = await client.generate({ model: `${cards}-${index % models}`, prompt: promptOf(index) });
      return { client, id };
    }),
  );
}

const whenAllEnded = (created: Created[]): Promise<Job[]> =>
  Promise.all(created.map(({ client, id }) => client.ended(id, LONG_MS)));

async function expectAllToSucceed(created: Created[]): Promise<void> {
  const statuses = (await whenAllEnded(created)).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: JOBS }, () => 'succeeded'));
}

/** The part of its time that a card needed at least: each run once, and each model loaded once. */
function shareOf(work: GpuWork[]): number {
  const kinds = new Set(work.map(({ kind }) => kind)).size;
  const neededMs = work.length * TIMES.runMs + kinds * TIMES.loadMs;
  return neededMs / ((work.at(-1)?.untilMs ?? 0) - (work[0]?.fromMs ?? 0));
}

/** How long the card had nothing before each task that needs no load; the median, since other processes delay some. */
function medianGapMs(work: GpuWork[]): number {
  const gaps = work.flatMap(({ isLoad, fromMs }, index) => (isLoad ? [] : [fromMs - (work[index - 1]?.untilMs ?? 0)]));
  return gaps.sort((one, other) => one - other)[gaps.length >> 1] ?? Infinity;
}

const loadsOf = (cards: LoadingGpu[]): number => cards.reduce((sum, { loads }) => sum + loads.length, 0);

describe('models that share GPUs, from a cold start with the default settings', () => {
  const gpus = new SharedGpus();
  let stack: LocalStack;

  beforeAll(async () => {
    await gpus.start();
    stack = await LocalStack.start({ env: { KINORA_CONFIG_DIR: gpus.configDir } });
  }, LONG_MS);

  afterAll(async () => {
    await stack.stop();
    await gpus.stop();
  });

  it.each([
    ['two', 2],
    ['three', 3],
  ] as const)('%s models load once each, and the card has no idle moment', async (cards, models) => {
    await expectAllToSucceed(await createMixed(stack, cards, models));
    const [card] = gpus.of(cards);
    expect(card?.loads).toHaveLength(models);
    expect(shareOf(card?.work ?? [])).toBeGreaterThan(0.85);
    expect(medianGapMs(card?.work ?? [])).toBeLessThan(GAP_MS);
  });

  it('three models spread over two cards, which load four times in all', async () => {
    await expectAllToSucceed(await createMixed(stack, 'pair', 3));
    const cards = gpus.of('pair');
    expect(loadsOf(cards)).toBeLessThanOrEqual(4);
    for (const { loads } of cards) expect(loads.length).toBeGreaterThan(0);
  });

  it('lose nothing when the card dies while it loads', async () => {
    const created = await createMixed(stack, 'dying', 2);
    const [card] = gpus.of('dying');
    await waitFor(() => card?.isLoading === true, { timeoutMs: LONG_MS });
    await card?.restart();
    await expectAllToSucceed(created);
    expect(loadsOf(gpus.of('dying'))).toBeLessThanOrEqual(4);
  });

  it('have places and ends that hold in the order of the plan', async () => {
    await expectAllToSucceed(await createMixed(stack, 'estimated', 2));
    const created = await createMixed(stack, 'estimated', 2);
    const readAtMs = Date.now();
    const read = await Promise.all(created.map(({ client, id }) => client.read<JobProgress>(`/jobs/${id}/progress`)));
    const ended = await whenAllEnded(created);
    const endsMs = ended.map(({ completed_at }) => Date.parse(completed_at ?? ''));
    const errors = read.flatMap(({ eta_seconds }, index) => {
      const leftMs = (endsMs[index] ?? 0) - readAtMs;
      return leftMs <= 0 ? [] : [Math.abs((eta_seconds ?? Infinity) * 1_000 - leftMs) / leftMs];
    });
    expect(errors.sort((one, other) => one - other)[errors.length >> 1]).toBeLessThan(ERROR_MAX);
    const places = read.flatMap(({ queue_position: place }, index) =>
      place === null ? [] : [{ place, prompt: promptOf(index) }],
    );
    places.sort((one, other) => one.place - other.place);
    const served = gpus
      .of('estimated')[0]
      ?.server.received.slice(JOBS)
      .map(({ prompt }) => prompt);
    expect(places.length).toBeGreaterThan(0);
    expect(places.map(({ prompt }) => prompt)).toEqual(served?.slice(-places.length));
  });
});

describe('two processes of jobs that share a GPU', () => {
  const gpus = new SharedGpus();
  let stack: LocalStack;

  beforeAll(async () => {
    await gpus.start();
    stack = await LocalStack.start({ env: { KINORA_CONFIG_DIR: gpus.configDir, KINORA_REPLICAS: 'jobs=2' } });
  }, LONG_MS);

  afterAll(async () => {
    await stack.stop();
    await gpus.stop();
  });

  it('decide alike: two models load twice, and no job is sent twice', async () => {
    await expectAllToSucceed(await createMixed(stack, 'two', 2));
    const [card] = gpus.of('two');
    expect([card?.loads.length, card?.server.received.length]).toEqual([2, JOBS]);
    expect(shareOf(card?.work ?? [])).toBeGreaterThan(0.85);
  });
});
