import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { Catalog } from '../src/catalog/catalog';
import { loadCatalog } from '../src/catalog/load-catalog';
import { migrations } from '../src/migrations/migrations';
import { ModelSwitchEntity } from '../src/catalog/model-switch.entity';
import { ModelPrices } from '../src/price/model-prices';
import { PriceChangeRepository } from '../src/price/price-change.repository';
import { ModelSwitchRepository } from '../src/catalog/model-switch.repository';
import { ListLoras, ListModels } from '../src/use-cases/list-models.query';
import { ResolveModel } from '../src/use-cases/resolve-model.query';
import { SetModelEnabled } from '../src/use-cases/set-model-enabled.use-case';

describe('catalog', () => {
  let database: TestDatabase;
  let listModels: ListModels;
  let listLoras: ListLoras;
  let resolveModel: ResolveModel;
  let setModelEnabled: SetModelEnabled;

  beforeAll(async () => {
    database = await createTestDatabase('catalog', migrations, [ModelSwitchEntity]);
    const catalog = loadCatalog('');
    const switches = new ModelSwitchRepository(database.database.repository(ModelSwitchEntity));
    const prices = new ModelPrices(new PriceChangeRepository(database.database));
    listModels = new ListModels(catalog, switches, prices);
    listLoras = new ListLoras(catalog, switches);
    resolveModel = new ResolveModel(catalog, switches, prices);
    setModelEnabled = new SetModelEnabled(catalog, switches, prices);
  });
  afterAll(() => database.close());

  it('resolves a model with its price, bounds, LoRAs and routes', async () => {
    expect(await resolveModel.execute({ model: 'general-image', operation: 'image.generation' })).toMatchObject({
      id: 'general-image',
      price: { micros: 20_000, per: 'image', micros_by_size: {} },
      steps: { min: 1, max: 50, default: 25 },
      guidance: { min: 0, max: 20, default: 5 },
      loras: expect.arrayContaining([{ id: 'ink-wash', default_strength: 0.8 }]) as unknown[],
      routes: [{ provider: 'sandbox', weight: 1 }],
    });
  });

  it('resolves a video model with the bounds of its frames', async () => {
    expect(await resolveModel.execute({ model: 'image-to-video', operation: 'video.generation' })).toMatchObject({
      capabilities: { i2v: true, durations: [5, 8], fps: 24, loras: 'url' },
      price: { per: 'second' },
      output_frame: { max_pixels: 832 * 480, side_multiple: 16 },
    });
  });

  it.each([
    ['is unknown', 'no-such-model', 'image.generation'],
    ['cannot do the operation', 'image-edit', 'image.generation'],
    ['can make images but no video', 'general-image', 'video.generation'],
  ] as const)('answers model_unavailable for a model that %s', async (_, model, operation) => {
    await expect(resolveModel.execute({ model, operation })).rejects.toMatchObject({
      code: 'model_unavailable',
      param: 'model',
    });
  });

  it('lists every LoRA with all its fields', async () => {
    const list = await listLoras.execute({});
    expect(list).toEqual({ object: 'list', data: expect.any(Array) as unknown });
    expect(list.data).toHaveLength(5);
    expect(list.data[0]).toEqual({
      id: 'ink-wash',
      object: 'lora',
      compatible_models: ['general-image', 'fast-image'],
      label: 'Ink wash',
      description: 'Brushed tones of one ink on paper.',
      default_strength: 0.8,
      triggers: null,
      license: 'CC0-1.0',
    });
  });

  it('lists the LoRAs that a model accepts, and whether it also takes one by URL', async () => {
    const all = (await listLoras.execute({})).data;
    const listed = { object: 'list', data: all, model: 'fast-image', byo_urls: false };
    expect(await listLoras.execute({ model: 'fast-image' })).toEqual(listed);
    const none = { object: 'list', data: [], model: 'image-edit', byo_urls: false };
    expect(await listLoras.execute({ model: 'image-edit' })).toEqual(none);
  });

  it('marks a model that accepts LoRAs by URL', async () => {
    const models = loadCatalog('').listModels();
    const byUrl = models.map((model) => ({ ...model, capabilities: { ...model.capabilities, loras: 'url' as const } }));
    const catalog = new Catalog(new Map(byUrl.map((model) => [model.id, model])), new Map(), []);
    const listing = new ListLoras(catalog, new ModelSwitchRepository(database.database.repository(ModelSwitchEntity)));
    const listed = { object: 'list', data: [], model: 'image-edit', byo_urls: true };
    expect(await listing.execute({ model: 'image-edit' })).toEqual(listed);
  });

  it('treats an unknown or disabled model as a wrong filter of LoRAs', async () => {
    const refusal = { code: 'model_unavailable', type: 'invalid_request_error', status: 400, param: 'model' };
    await expect(listLoras.execute({ model: 'no-such-model' })).rejects.toMatchObject(refusal);
    await setModelEnabled.execute({ model: 'fast-image', enabled: false });
    await expect(listLoras.execute({ model: 'fast-image' })).rejects.toMatchObject(refusal);
    await setModelEnabled.execute({ model: 'fast-image', enabled: true });
    expect((await listLoras.execute({ model: 'fast-image' })).data).toHaveLength(5);
  });

  it('shows the bounds that a request meets', async () => {
    const { data } = await listModels.enabled({});
    const shown = data.map(({ id, capabilities: { steps, guidance, output_side } }) => [
      id,
      { steps, guidance, output_side },
    ]);
    expect(Object.fromEntries(shown)).toMatchObject({
      'general-image': {
        steps: { min: 1, max: 50, default: expect.any(Number) as number },
        guidance: { min: 0, max: 20, default: expect.any(Number) as number },
        output_side: undefined,
      },
      'image-edit': { steps: undefined, guidance: undefined, output_side: { min: 256, max: 2048 } },
      'image-to-video': { steps: undefined, guidance: undefined, output_side: undefined },
    });
  });

  it('neither lists nor resolves a disabled model until it is enabled again', async () => {
    const listed = async () => (await listModels.enabled({})).data.map(({ id }) => id);
    const disabled = await setModelEnabled.execute({ model: 'image-edit', enabled: false });
    expect(disabled).toMatchObject({ model: { id: 'image-edit' }, enabled: false });
    expect(await listed()).not.toContain('image-edit');
    await expect(resolveModel.execute({ model: 'image-edit', operation: 'image.edit' })).rejects.toMatchObject({
      code: 'model_unavailable',
    });

    await setModelEnabled.execute({ model: 'image-edit', enabled: true });
    expect(await listed()).toContain('image-edit');
    expect(await resolveModel.execute({ model: 'image-edit', operation: 'image.edit' })).toMatchObject({
      output_side: { min: 256, max: 2048 },
      capabilities: { max_refs: 3 },
    });
  });

  it('lists disabled models for operators, also in a process that started later', async () => {
    await setModelEnabled.execute({ model: 'fast-image', enabled: false });
    const afterRestart = new ListModels(
      loadCatalog(''),
      new ModelSwitchRepository(database.database.repository(ModelSwitchEntity)),
      new ModelPrices(new PriceChangeRepository(database.database)),
    );
    const shown = (await afterRestart.all({})).data.map(({ model, enabled }) => [model.id, enabled]);
    expect(shown).toContainEqual(['fast-image', false]);
    expect((await listModels.all({})).data).toHaveLength(4);
  });

  it('refuses to switch an unknown model', async () => {
    await expect(setModelEnabled.execute({ model: 'no-such', enabled: false })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
