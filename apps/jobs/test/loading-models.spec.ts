import { FakeComfyui, LoadingGpu } from '@kinora/compute/fixtures';
import { waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { JobsServiceFixture } from './jobs-service.fixtures';

const TIMES = { runMs: 50, loadMs: 500 };
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

  /** Jobs of several models and accounts in turn. The instances begin when all are there. */
  async function createMixed(models: number, instances: typeof gpus): Promise<{ id: string; accountId: string }[]> {
    TEMPLATES.slice(0, models).forEach((template, index) => {
      const routes = instances.map(({ id }) => ({ provider: id, template, weight: 1, load_ms: TIMES.loadMs }));
      jobs.fakes.models.set(`model-${index}`, {
        routes,
        capabilities: { t2i: true, sizes: ['128x128'], max_n: 1, max_refs: 0 },
      });
    });
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
    // Without a plan there is a load for nearly every job.
    expect(loads()).toBeLessThanOrEqual(4);
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
});
