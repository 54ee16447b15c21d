import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { waitFor } from '@kinora/testing';
import { allSucceeded, JOBS, promptOf, SharedGpus } from '../support/shared-gpus';

/** A card that takes four runs to load a model, at a quarter of the time of a small real one. */
const TIMES = { runMs: 250, loadMs: 1_000 };
const LONG = { timeoutMs: 120_000 };

describe('models that share GPUs, from a cold start with the default settings', () => {
  let gpus: SharedGpus;

  beforeAll(async () => {
    gpus = await SharedGpus.start({ two: 1, three: 1, pair: 2, dying: 1, placed: 1 }, TIMES);
  }, LONG.timeoutMs);
  afterAll(() => gpus.stop());

  it.each([
    ['two', 2],
    ['three', 3],
  ] as const)('%s models load once each', async (group, models) => {
    await allSucceeded(await gpus.create(group, models));
    expect(gpus.loadsOf(group)).toBe(models);
  });

  it('three models spread over two cards, which load four times at most', async () => {
    await allSucceeded(await gpus.create('pair', 3));
    expect(gpus.loadsOf('pair')).toBeLessThanOrEqual(4);
    for (const { loads } of gpus.of('pair')) expect(loads.length).toBeGreaterThan(0);
  });

  it('lose nothing when the card dies while it loads', async () => {
    const created = await gpus.create('dying', 2);
    const [card] = gpus.of('dying');
    await waitFor(() => card?.isLoading === true, LONG);
    await card?.restart();
    await allSucceeded(created);
    expect(gpus.loadsOf('dying')).toBeLessThanOrEqual(4);
  });

  it('have the places in the queue in which the card then gets them, whatever their model', async () => {
    const created = await gpus.create('placed', 2);
    const [card] = gpus.of('placed');
    // The first decision is made by then.
    await waitFor(() => card?.server.received[0], LONG);
    const read = await Promise.all(created.map(({ client, id }) => client.read<JobProgress>(`/jobs/${id}/progress`)));
    await allSucceeded(created);
    const waiting = read.flatMap(({ queue_position: place }, index) =>
      place === null ? [] : [{ place, prompt: promptOf(index) }],
    );
    const foretold = waiting.sort((one, other) => one.place - other.place).map(({ prompt }) => prompt);
    expect(foretold.length).toBeGreaterThan(0);
    const received = card?.server.received.map(({ prompt }) => prompt ?? '') ?? [];
    expect(foretold).toEqual(received.filter((prompt) => foretold.includes(prompt)));
  });
});

describe('two processes of jobs that share a GPU', () => {
  let gpus: SharedGpus;

  beforeAll(async () => {
    gpus = await SharedGpus.start({ two: 1 }, TIMES, { KINORA_REPLICAS: 'jobs=2' });
  }, LONG.timeoutMs);
  afterAll(() => gpus.stop());

  it('decide alike: two models load twice, and no job is sent twice', async () => {
    await allSucceeded(await gpus.create('two', 2));
    expect([gpus.loadsOf('two'), gpus.of('two')[0]?.server.received.length]).toEqual([2, JOBS]);
  });
});
