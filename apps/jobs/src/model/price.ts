import type { Micros } from '@kinora/contracts/shared/money';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';

/** Decisions: "The charge is micros × n for images; a catalog may set another price for a size." */
export function priceOf(model: ResolvedModel, { size, n }: { size: string; n: number }): Micros {
  return (model.price.micros_by_size[size] ?? model.price.micros) * n;
}
