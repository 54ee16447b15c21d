import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { loadCatalog } from '../src/catalog/load-catalog';
import { ModelSwitchEntity } from '../src/catalog/model-switch.entity';
import { ModelSwitchRepository } from '../src/catalog/model-switch.repository';
import { migrations } from '../src/migrations/migrations';
import { ModelPrices } from '../src/price/model-prices';
import { PriceChangeEntity } from '../src/price/price-change.entity';
import { PriceChangeRepository } from '../src/price/price-change.repository';
import { ListModels } from '../src/use-cases/list-models.query';
import { ListPrices } from '../src/use-cases/list-prices.query';
import { ResolveModel } from '../src/use-cases/resolve-model.query';
import { SetPrice } from '../src/use-cases/set-price.use-case';

const [NOW, SOON, LATER] = ['2026-11-14T12:00:00.000Z', '2026-11-14T12:00:00.001Z', '2026-11-15T12:00:00.000Z'];

describe('prices', () => {
  let database: TestDatabase;
  let stack: ReturnType<typeof start>;

  /** A process of the catalog, as after a restart. */
  function start() {
    const catalog = loadCatalog('');
    const switches = new ModelSwitchRepository(database.database.repository(ModelSwitchEntity));
    const changes = new PriceChangeRepository(database.database);
    const prices = new ModelPrices(changes);
    return {
      set: new SetPrice(catalog, prices, changes),
      lists: new ListPrices(changes),
      models: new ListModels(catalog, switches, prices),
      resolve: new ResolveModel(catalog, switches, prices),
    };
  }

  beforeAll(async () => {
    database = await createTestDatabase('catalog', migrations, [ModelSwitchEntity, PriceChangeEntity]);
    await database.setNow(NOW);
    stack = start();
    await stack.set.ofGroup({ price_group: 'resellers', factor_basis_points: 8_000 });
  });
  afterAll(() => database.close());

  const priceOf = async (model: string, price_group?: string) => {
    const group = price_group === undefined ? {} : { price_group };
    const { data } = await stack.models.enabled(group);
    const { price } = await stack.resolve.execute({ model, operation: 'image.generation', ...group });
    expect(data.find(({ id }) => id === model)?.price).toMatchObject({ micros: price.micros, per: price.per });
    return price;
  };

  it('of the catalog hold until an operator sets another, for one group or for all accounts', async () => {
    expect(await priceOf('general-image')).toEqual({ micros: 20_000, per: 'image', micros_by_size: {} });
    const set = { model: 'general-image', micros: 30_000, actor: 'ada', reason: 'dearer GPUs' };
    const { id } = await stack.set.ofModel(set);
    expect(await priceOf('general-image')).toMatchObject({ micros: 30_000, price_changes: [id] });
    expect(await priceOf('general-image', 'resellers')).toMatchObject({ micros: 24_000 });
    expect(await priceOf('general-image', 'unknown-group')).toMatchObject({ micros: 30_000 });
    const own = await stack.set.ofModel({ model: 'general-image', price_group: 'resellers', micros: 5 });
    expect(await priceOf('general-image', 'resellers')).toMatchObject({ micros: 5, price_changes: [own.id] });
    await stack.set.ofModel({ model: 'general-image', price_group: 'resellers', micros: null });
    expect(await priceOf('general-image', 'resellers')).toMatchObject({ micros: 24_000 });
    stack = start();
    expect(await priceOf('general-image')).toMatchObject({ micros: 30_000, price_changes: [id] });
    expect((await stack.lists.changes({ model: 'general-image' })).data.at(-1)).toMatchObject({ ...set, id });
  });

  it('for a later time take effect then, also those that were set before another one', async () => {
    await stack.set.ofModel({ model: 'fast-image', micros: 222, from: SOON });
    await stack.set.ofModel({ model: 'fast-image', micros: 111 });
    await stack.set.ofModel({ model: 'fast-image', micros: 333, from: LATER });
    const microsNow = async () =>
      (await stack.resolve.execute({ model: 'fast-image', operation: 'image.generation' })).price.micros;
    expect(await microsNow()).toBe(111);
    await database.setNow(SOON);
    expect(await priceOf('fast-image')).toMatchObject({ micros: 222 });
  });

  it('that operators set at the same moment are all kept, and one of them holds everywhere', async () => {
    const model = 'fast-image';
    await Promise.all(Array.from({ length: 20 }, (_, micros) => stack.set.ofModel({ model, micros })));
    const { data } = await stack.lists.changes({ model });
    expect(new Set(data.slice(0, 20).map(({ micros }) => micros)).size).toBe(20);
    const [held] = (await priceOf(model)).price_changes ?? [];
    const last = data.reduce((one, other) =>
      other.effective_from > one.effective_from && other.effective_from < LATER ? other : one,
    );
    expect(data.find(({ id }) => id === held)?.effective_from).toBe(last.effective_from);
  });

  it.each<[string, string, (set: SetPrice) => Promise<unknown>]>([
    ['not_found', 'model', (set) => set.ofModel({ model: 'no-such', micros: 1 })],
    ['not_found', 'price_group', (set) => set.ofModel({ model: 'fast-image', micros: 1, price_group: 'no-such' })],
    ['invalid_body', 'micros', (set) => set.ofModel({ model: 'fast-image', micros: -1 })],
    ['invalid_body', 'micros', (set) => set.ofModel({ model: 'fast-image', micros: 0.5 })],
    ['invalid_body', 'micros', (set) => set.ofModel({ model: 'fast-image', micros: 1_000_000_000_001 })],
    ['invalid_body', 'micros', (set) => set.ofModel({ model: 'fast-image' } as never)],
    [
      'invalid_body',
      'micros_by_size',
      (set) => set.ofModel({ model: 'fast-image', micros: 1, micros_by_size: { '9x9': 1 } }),
    ],
    ['invalid_body', 'from', (set) => set.ofModel({ model: 'fast-image', micros: 1, from: '2020-01-01T00:00:00Z' })],
    ['invalid_body', 'from', (set) => set.ofModel({ model: 'fast-image', micros: 1, from: 'tomorrow' })],
    ['invalid_body', 'reason', (set) => set.ofModel({ model: 'fast-image', micros: 1, reason: '' })],
    ['invalid_body', 'price_group', (set) => set.ofGroup({ price_group: '', factor_basis_points: 1 })],
    ['invalid_body', 'factor_basis_points', (set) => set.ofGroup({ price_group: 'a', factor_basis_points: 100_001 })],
  ])('are refused with %s, naming %s', async (code, param, set) => {
    const before = (await stack.lists.changes({})).data.length;
    await expect(set(stack.set)).rejects.toMatchObject({ code, param });
    expect((await stack.lists.changes({})).data).toHaveLength(before);
  });

  it('are listed by page, with the factor of each group', async () => {
    const micros = Array.from({ length: 21 }, (_, each) => each);
    for (const each of micros) await stack.set.ofModel({ model: 'image-edit', micros: each, from: LATER });
    const first = await stack.lists.changes({ model: 'image-edit' });
    const second = await stack.lists.changes({ model: 'image-edit', cursor: first.next_cursor ?? '' });
    expect([...first.data, ...second.data].map((change) => change.micros)).toEqual(micros.toReversed());
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    await expect(stack.lists.changes({ cursor: 'x' })).rejects.toMatchObject({ param: 'cursor' });
    await stack.set.ofGroup({ price_group: 'resellers', factor_basis_points: 1, from: LATER });
    await stack.set.ofGroup({ price_group: 'to-come', factor_basis_points: 2, from: LATER });
    expect((await stack.lists.groups()).data).toMatchObject([
      { price_group: 'resellers', factor_basis_points: 8_000 },
      { price_group: 'to-come', factor_basis_points: 2 },
    ]);
  });
});
