import type { Micros } from '@kinora/contracts/shared/money';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { JobInput } from '@kinora/contracts/jobs/job';

/** The price of a job: micros × n for images, micros × duration for videos (decisions: Prices). */
export function priceOf(model: ResolvedModel, input: JobInput): Micros {
  const units = 'duration' in input ? input.duration : input.n;
  return (model.price.micros_by_size[input.size] ?? model.price.micros) * units;
}

/** The lowest possible price of a job: an unknown size may be the cheapest one. */
export function leastPriceOf({ price }: ResolvedModel, units: number, size?: string): Micros {
  if (size !== undefined) return (price.micros_by_size[size] ?? price.micros) * units;
  return Math.min(price.micros, ...Object.values(price.micros_by_size)) * units;
}
