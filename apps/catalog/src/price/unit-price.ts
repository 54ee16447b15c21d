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
  const set = inForce.filter((change) => change.model_id === id && change.per === price.per).filter(isPrice);
  const own = set.find(({ price_group }) => price_group !== '');
  if (own) return toUnitPrice(own);
  const listed = set.find(({ price_group }) => price_group === '');
  const list = listed ? toUnitPrice(listed) : { micros: price.micros, micros_by_size: price.micros_by_size };
  const factor = inForce.find(({ model_id }) => model_id === '');
  return factor ? timesFactor(list, factor) : list;
}

function isPrice(change: PriceChangeRow): change is PriceChangeRow & { micros: Micros } {
  return change.micros !== null;
}

function toUnitPrice({ id, micros, micros_by_size }: PriceChangeRow & { micros: Micros }): UnitPrice {
  return { micros, micros_by_size, price_changes: [id] };
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
