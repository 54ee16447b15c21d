import type { UnitPrice } from '@kinora/contracts/catalog/catalog.rpc';
import type { Micros } from '@kinora/contracts/shared/money';
import type { ModelDefinition } from '../catalog/model-definition';
import type { PriceChangeRow } from './price-change.repository';

/** This factor is the price list. */
export const FACTOR_ONE = 10_000;

/**
 * What a unit of the model costs by the changes in force: the group's own price of the model, or else the price list times the
 * factor of the group. The price list is the catalog's until an operator sets another price.
 */
export function unitPriceOf(
  { id, price }: Pick<ModelDefinition, 'id' | 'price'>,
  inForce: PriceChangeRow[],
): UnitPrice {
  const [own] = inForce.filter(({ price_group: group }) => group !== '').flatMap((change) => setPriceOf(change));
  if (own) return own;
  const [set] = inForce.filter(({ price_group: group }) => group === '').flatMap((change) => setPriceOf(change));
  const list = set ?? { micros: price.micros, micros_by_size: price.micros_by_size };
  const factor = inForce.find(({ model_id }) => model_id === '');
  return factor ? timesFactor(list, factor) : list;

  function setPriceOf({ id: changeId, model_id, per, micros, micros_by_size }: PriceChangeRow): UnitPrice[] {
    if (model_id !== id || per !== price.per || micros === null) return [];
    return [{ micros, micros_by_size, price_changes: [changeId] }];
  }
}

function timesFactor(list: UnitPrice, { id, factor_basis_points: factor }: PriceChangeRow): UnitPrice {
  const sizes = Object.entries(list.micros_by_size).map(([size, micros]) => [
    size,
    times(micros, factor ?? FACTOR_ONE),
  ]);
  return {
    micros: times(list.micros, factor ?? FACTOR_ONE),
    micros_by_size: Object.fromEntries(sizes) as Record<string, Micros>,
    price_changes: [...(list.price_changes ?? []), id],
  };
}

/** Rounded half up. The product may be more than a safe integer. */
function times(micros: Micros, factor: number): Micros {
  return Number((BigInt(micros) * BigInt(factor) + BigInt(FACTOR_ONE / 2)) / BigInt(FACTOR_ONE));
}
