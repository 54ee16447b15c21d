import { FakeComfyui, LoadingGpu } from '@kinora/compute/fixtures';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { JobsServiceFixture } from './jobs-service.fixtures';

/** Long enough that a late poll on a busy machine costs no load. */
const TIMES = { runMs: 100, loadMs: 1_000 };
const TEMPLATES = ['cpu-text-to-image-standin', 'sdxl-text-to-image', 'flux-dev-text-to-image'];
const JOBS = 16;

describe('models that share instances', () => {
  const gpus = ['gpu-a', 'gpu-b'].map((id) => ({ id, gpu: new LoadingGpu(new FakeComfyui(), TIMES) }));
  const one = gpus.slice(0, 1);
  let jobs: JobsServiceFixture;

  beforeEach(async () => {
    const instances = await Promise.all(
      gpus.map(async ({ id, gpu }) => ({ id, type: 'comfyui', url: await gpu.server.start(), concurrency: 4 })),
    );
    jobs = await JobsServiceFixture.start('api,runner', {}, instances);
  });

  afterEach(async () => {
    await jobs.close();
    for (const { gpu } of gpus) {
      gpu.stop();
      await gpu.server.stop();
      gpu.server.restart();
      gpu.server.received.length = 0;
      gpu.loads.length = 0;
    }
  });

  function offer(models: number, instances: typeof gpus, parts: Partial<ResolvedModel> = {}): void {
    TEMPLATES.slice(0, models).forEach((template, index) => {
      const routes = instances.map(({ id }) => ({ provider: id, template, weight: 1, load_ms: TIMES.loadMs }));
      const capabilities = { t2i: true, sizes: ['128x128'], max_n: 1, max_refs: 0 };
      jobs.fakes.models.set(`model-${index}`, { routes, capabilities, ...parts });
    });
  }

  /** Jobs of several models and accounts in turn. The instances begin when all are there. */
  async function createMixed(models: number, instances: typeof gpus): Promise<{ id: string; accountId: string }[]> {
    offer(models, instances);
    const accounts = Array.from({ length: models }, () => uuidv7());
    const created: { id: string; accountId: string }[] = [];
    for (let index = 0; index < JOBS; index += 1) {
      const accountId = accounts[index % models] ?? '';
      const { job } = await jobs.create({ model: `model-${index % models}`, accountId });
      created.push({ id: job.id, accountId });
    }
    for (const { gpu } of instances) gpu.start();
    return created;
  }

  /** Whether a new job of the model would find room. */
  async function hasRoom(model: string): Promise<boolean> {
    const request = {
      kind: 'image.generation' as const,
      input: { prompt: 'p', model },
      account_id: jobs.accountId,
      api_key_id: uuidv7(),
    };
    const { refusals } = await jobs.bus.request(jobsRpc.quotePrice, request);
    return !refusals.some(({ code }) => code === 'capacity');
  }

  async function whenAllSucceeded(created: { id: string; accountId: string }[]): Promise<void> {
    for (const { id, accountId } of created)
      expect(await jobs.whenEnded(id, accountId)).toMatchObject({ status: 'succeeded' });
  }

  const received = (): number => gpus.reduce((sum, { gpu }) => sum + gpu.server.received.length, 0);
  const loads = (): number => gpus.reduce((sum, { gpu }) => sum + gpu.loads.length, 0);

  it.each([2, 3])('%i models are loaded once each by one instance', async (models) => {
    await whenAllSucceeded(await createMixed(models, one));
    expect([loads(), received()]).toEqual([models, JOBS]);
  });

  it('three models spread over two instances', async () => {
    await whenAllSucceeded(await createMixed(3, gpus));
    expect(received()).toBe(JOBS);
    // Without a plan there is a load for nearly every job. On a busy machine runs take longer, and a card that waits loads a model.
    expect(loads()).toBeLessThanOrEqual(JOBS / 2);
    for (const { gpu } of gpus) expect(gpu.loads.length).toBeGreaterThan(0);
  });

  it('run on after the instance has died while it loaded one', async () => {
    const created = await createMixed(2, one);
    const [gpu] = one.map((each) => each.gpu);
    await waitFor(() => gpu?.isLoading === true);
    await gpu?.restart();
    await whenAllSucceeded(created);
    expect(loads()).toBeLessThanOrEqual(4);
  });

  it('are planned alike by two processes, which never send a job twice', async () => {
    const other = await jobs.startProcess();
    try {
      await whenAllSucceeded(await createMixed(2, one));
    } finally {
      await other.close();
    }
    expect([loads(), received()]).toEqual([2, JOBS]);
  });

  it('are refused for the jobs of all of them that go before, until enough of those are planned to have begun', async () => {
    offer(2, one);
    const [gpu] = one.map((each) => each.gpu);
    for (const model of ['model-0', 'model-1']) for (let count = 0; count < 6; count += 1) await jobs.create({ model });
    // The first two of the twelve are at the instance, which has not begun.
    await waitFor(() => gpu?.server.received.length === 2);
    offer(2, one, { max_backlog: 9 });
    await waitFor(async () => !(await hasRoom('model-1')));
    expect(await hasRoom('model-0')).toBe(true);
    const refused = await jobs.create({ model: 'model-1' }).catch((error: unknown) => error);
    // Without measured times a run is taken to need 5 s. Two of the ten have to begin: 10 and 15 s after the first of the instance.
    const seconds = expect.any(Number) as number;
    expect(refused).toMatchObject({ code: 'capacity', retryAfterSeconds: seconds });
    const { retryAfterSeconds: wait } = refused as { retryAfterSeconds: number };
    expect(wait).toBeGreaterThanOrEqual(10);
    expect(wait).toBeLessThanOrEqual(16);
  });
});
