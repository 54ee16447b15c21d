import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { type Operation, type ResolvedModel, catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { TestBroker, type TestBus, type TestService, connectTestBus, startTestService, waitFor } from '@kinora/testing';
import { ModelCache } from './model-cache';

const switches = { enabled: true, calls: 0 };

@Controller()
class FakeCatalog {
  @Handles(catalogRpc.resolveModel)
  async resolveModel({ model }: { model: string; operation: Operation }): Promise<ResolvedModel> {
    switches.calls += 1;
    if (!switches.enabled) throw new ApiError('model_unavailable', 'It is disabled.', { param: 'model' });
    return { id: model } as ResolvedModel;
  }
}

describe('the cache of models', () => {
  let broker: TestBroker;
  let catalog: TestService;
  let client: TestBus;
  let models: ModelCache;

  beforeAll(async () => {
    broker = await TestBroker.start();
    catalog = await startTestService({ name: 'catalog', natsUrl: broker.url, controllers: [FakeCatalog] });
    client = await connectTestBus(broker.url);
    models = new ModelCache(client.bus);
  });
  afterAll(async () => {
    await client.close();
    await catalog.close();
    await broker.close();
  });
  /** Time passes only where a test says so, however slow the machine is. */
  let laterMs: number;

  beforeEach(() => {
    Object.assign(switches, { enabled: true, calls: 0 });
    const begunAtMs = performance.now();
    laterMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => begunAtMs + laterMs);
  });
  afterEach(() => jest.restoreAllMocks());

  const isTaken = () =>
    models.resolve('a-model', 'image.generation').then(
      () => true,
      () => false,
    );

  it('serves many requests with one request to the catalog', async () => {
    await Promise.all(Array.from({ length: 50 }, () => models.resolve('popular', 'image.generation')));
    expect(switches.calls).toBe(1);
  });

  it('renews a frequently used model in the background', async () => {
    const first = await models.resolve('usual', 'image.generation');
    laterMs = 300;
    expect(await models.resolve('usual', 'image.generation')).toBe(first);
    await waitFor(async () => (await models.resolve('usual', 'image.generation')) !== first);
    expect(switches.calls).toBe(2);
  });

  it('applies enabling and disabling a model within a second', async () => {
    expect(await isTaken()).toBe(true);
    switches.enabled = false;
    expect(await isTaken()).toBe(true);
    laterMs = 999;
    expect(await isTaken()).toBe(false);
    switches.enabled = true;
    expect(await isTaken()).toBe(true);
  });
});
