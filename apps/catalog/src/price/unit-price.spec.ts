import type { ModelDefinition } from '../catalog/model-definition';
import type { PriceChangeRow } from './price-change.repository';
import { unitPriceOf } from './unit-price';

const MODEL = { id: 'ink', price: { micros: 1_000, per: 'image', micros_by_size: { '64x64': 500 } } };

/** Of the model for all accounts, of the model for the group, and the factor of the group. */
const change = (id: number, model_id: string, price_group: string, set: Partial<PriceChangeRow>) =>
  ({ id, model_id, price_group, per: 'image', micros: null, micros_by_size: {}, ...set }) as PriceChangeRow;
const LISTED = change(1, 'ink', '', { micros: 2_001, micros_by_size: { '96x96': 3 } });
const OWN = change(2, 'ink', 'resellers', { micros: 7 });
const FACTOR = change(3, '', 'resellers', { factor_basis_points: 7_500 });

describe('the price of a unit', () => {
  it.each<[string, PriceChangeRow[], object]>([
    ['is that of the catalog', [], { micros: 1_000, micros_by_size: { '64x64': 500 } }],
    ['is what the operator has set, for all sizes', [LISTED], { micros: 2_001, micros_by_size: { '96x96': 3 } }],
    ['is never that of another model', [{ ...LISTED, model_id: 'wash' }], { micros: 1_000 }],
    ['is never that of another unit', [{ ...LISTED, per: 'second' }], { micros: 1_000 }],
    ['is that of the catalog again after an end', [{ ...LISTED, micros: null }], { micros: 1_000 }],
    ['may be nothing', [{ ...LISTED, micros: 0 }], { micros: 0, price_changes: [1] }],
    [
      'is the catalog times the factor',
      [FACTOR],
      { micros: 750, micros_by_size: { '64x64': 375 }, price_changes: [3] },
    ],
    ['is what was set times the factor, rounded', [LISTED, FACTOR], { micros: 1_501, price_changes: [1, 3] }],
    ['rounds half up', [{ ...LISTED, micros_by_size: { '96x96': 2 } }, FACTOR], { micros_by_size: { '96x96': 2 } }],
    ["is the group's own, without the factor", [LISTED, FACTOR, OWN], { micros: 7, price_changes: [2] }],
    [
      "is no more the group's own after an end",
      [{ ...OWN, micros: null }, FACTOR],
      { micros: 750, price_changes: [3] },
    ],
  ])('%s', (_, inForce, expected) => {
    expect(unitPriceOf(MODEL as unknown as ModelDefinition, inForce)).toMatchObject(expected);
  });

  it('stays exact where the product is no safe integer', () => {
    const dear = [change(1, 'ink', '', { micros: 999_999_999_999 }), { ...FACTOR, factor_basis_points: 99_999 }];
    expect(unitPriceOf(MODEL as unknown as ModelDefinition, dear).micros).toBe(9_999_899_999_990);
  });
});
