import type { Micros } from '@kinora/contracts/shared/money';
import type { ListPrice } from '../model/price';

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
