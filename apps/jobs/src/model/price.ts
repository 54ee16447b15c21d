import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { JobInput } from '@kinora/contracts/jobs/job';
import type { Micros } from '@kinora/contracts/shared/money';

/** The price of a job by the price list: micros × n for images, micros × duration for videos (decisions: Prices). */
export interface ListPrice {
  unit_micros: Micros;
  per: 'image' | 'second';
  quantity: number;
  /** The ids of what the operator had set for it, in the catalog. */
  price_changes?: number[];
}

export function listPriceOf({ price }: ResolvedModel, input: JobInput): ListPrice {
  const quantity = 'duration' in input ? input.duration : input.n;
  const { micros, micros_by_size, per, price_changes } = price;
  const unit = { unit_micros: micros_by_size[input.size] ?? micros, per, quantity };
  return price_changes === undefined ? unit : { ...unit, price_changes };
}

export function totalOf({ unit_micros, quantity }: Pick<ListPrice, 'unit_micros' | 'quantity'>): Micros {
  return unit_micros * quantity;
}

/** Whether the price of a model is the same for all sizes. */
export function hasOnePrice({ price }: ResolvedModel): boolean {
  return Object.values(price.micros_by_size).every((micros) => micros === price.micros);
}

/** The lowest possible price of a job: an unknown size may be the cheapest one. */
export function leastPriceOf({ price }: ResolvedModel, units: number, size?: string): Micros {
  if (size !== undefined) return (price.micros_by_size[size] ?? price.micros) * units;
  return Math.min(price.micros, ...Object.values(price.micros_by_size)) * units;
}

/**
 * What a receipt states about the creation of a job. It holds hashes and numbers only, so it stays when the client deletes the
 * content of the job.
 */
export interface AcceptedFacts {
  /** Of the canonical JSON of the body; null if there was none. */
  request_sha256: string | null;
  input_image_sha256: string[];
  /** Null if the price is that of an earlier hold, which was computed by another price list. */
  price: ListPrice | null;
}

/** The quote whose price a job has, with the price by the price list. */
export interface AppliedQuote {
  id: string;
  list_micros: number;
}

/** A request that resumes after a change of the catalog keeps the hold of its first attempt, and with it that price. */
export function factsOfHold(
  { price, ...facts }: AcceptedFacts,
  priceMicros: Micros,
  heldMicros: Micros,
): AcceptedFacts {
  return { ...facts, price: priceMicros === heldMicros ? price : null };
}
