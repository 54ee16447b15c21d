import path from 'node:path';
import { MeasuredDatabase, fillTable, statementNames } from '@kinora/testing';
import { migrations } from '../src/migrations/migrations';
import { PriceChangeRepository } from '../src/price/price-change.repository';

/** A hundred models and ten groups, whose prices were set for years; a factor is set less often. */
const WRITE_CHANGES = `
  INSERT INTO price_change (model_id, price_group, per, micros, factor_basis_points, effective_from)
  SELECT CASE WHEN n % 10000 = 0 THEN '' ELSE 'model-' || n % 100 END,
         CASE WHEN n % 10000 = 0 THEN 'group-' || n / 10000 % 10 WHEN n % 1000 < 500 THEN '' ELSE 'group-' || n / 1000 % 10 END,
         'image', CASE WHEN n % 10000 > 0 THEN n END, CASE WHEN n % 10000 = 0 THEN 8000 END,
         now() + (n - 900000) * interval '1 minute'
    FROM generate_series(1, 1000000) AS n`;

describe('with a million price changes', () => {
  let database: MeasuredDatabase;

  beforeAll(async () => {
    database = await MeasuredDatabase.create(
      'catalog',
      migrations,
      ({ adminUrl }) => fillTable(adminUrl, 'catalog.price_change', [WRITE_CHANGES]),
      [],
    );
  }, 180_000);
  afterAll(() => database.close());

  it('every statement uses an index, and reads a few pages', async () => {
    const changes = new PriceChangeRepository(database);
    const models = Array.from({ length: 20 }, (_, n) => `model-${n}`);
    const change = { model_id: 'model-1', price_group: '', per: 'image', micros: 1, micros_by_size: {} } as const;
    expect(await changes.listInForce(['model-1'], 'group-1')).toHaveLength(3);
    expect(await changes.listInForce(models, undefined)).toHaveLength(20);
    await changes.insert({ ...change, factor_basis_points: null, actor: null, reason: null, from: null });
    expect(await changes.list(undefined, 500_000, 21)).toHaveLength(21);
    expect(await changes.list('model-1', 500_000, 21)).toHaveLength(21);
    expect(await changes.list('model-no', null, 21)).toEqual([]);
    expect(await changes.listGroups()).toHaveLength(10);
    expect(await changes.hasGroup('group-1')).toBe(true);
    expect(database.costlierThan({ most: 250, mostOf: {} })).toEqual([]);
    expect(database.unmeasured(statementNames(path.join(__dirname, '../src')))).toEqual([]);
  });
});
