import { ApiError } from '@kinora/contracts/shared/errors';
import type { Micros } from '@kinora/contracts/shared/money';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { JobInput } from '@kinora/contracts/jobs/job';

/** The price of a job by the price list: micros × n for images, micros × duration for videos (decisions: Prices). */
export interface ListPrice {
  unit_micros: Micros;
  per: 'image' | 'second';
  quantity: number;
}

export function listPriceOf({ price }: ResolvedModel, input: JobInput): ListPrice {
  const quantity = 'duration' in input ? input.duration : input.n;
  return { unit_micros: price.micros_by_size[input.size] ?? price.micros, per: price.per, quantity };
}

export function totalOf({ unit_micros, quantity }: Pick<ListPrice, 'unit_micros' | 'quantity'>): Micros {
  return unit_micros * quantity;
}

/**
 * Passes a model with one price for all sizes. Where the size follows from an image, a price by the size is unknown before the
 * image is read.
 * @throws ApiError invalid_body
 */
export function assertSizeDecidesNoPrice({ price }: ResolvedModel, param: string): void {
  if (Object.values(price.micros_by_size).every((micros) => micros === price.micros)) return;
  const message =
    'The price of this model depends on the size, which follows from the image: without a size it has no quote.';
  throw new ApiError('invalid_body', message, { param });
}

/** The lowest possible price of a job: an unknown size may be the cheapest one. */
export function leastPriceOf({ price }: ResolvedModel, units: number, size?: string): Micros {
  if (size !== undefined) return (price.micros_by_size[size] ?? price.micros) * units;
  return Math.min(price.micros, ...Object.values(price.micros_by_size)) * units;
}
