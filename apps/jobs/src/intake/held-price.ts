import type { Operation } from '@kinora/contracts/catalog/catalog.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { NewJob } from '../job/job.entity';
import { type ListPrice, totalOf } from '../model/price';

/** The price that a quote holds, and the request that it holds it for. */
export interface HeldPrice {
  kind: Operation;
  model: string;
  /** Null if the price does not depend on the size. */
  size: string | null;
  price: ListPrice;
  expiresAtMs: number;
}

/**
 * The job at the price of its quote, whatever the price list says now. A request for something else than the quoted model, size
 * and quantity passes only if it costs the same by the price list: there is no other price that the quote could hold for it.
 * @throws ApiError quote_mismatch
 */
export function atHeldPrice(job: NewJob, quoteId: string, held: HeldPrice): NewJob {
  assertQuotedOperation(held, job.kind);
  if (isQuoted(job, held)) {
    const accepted_facts = { ...job.accepted_facts, price: held.price };
    return {
      ...job,
      price_micros: totalOf(held.price),
      accepted_facts,
      quote: { id: quoteId, list_micros: job.price_micros },
    };
  }
  if (totalOf(held.price) === job.price_micros) return job;
  throw mismatch('The request has another price than the quoted one. Request a new quote for it.');
}

/** @throws ApiError quote_mismatch */
export function assertQuotedOperation(held: HeldPrice, kind: NewJob['kind']): void {
  if (held.kind !== kind) throw mismatch('The quote is for another operation.');
}

function isQuoted({ model, input, accepted_facts: { price } }: NewJob, held: HeldPrice): boolean {
  const hasSize = held.size === null || held.size === input.size;
  return model === held.model && hasSize && price?.quantity === held.price.quantity && price.per === held.price.per;
}

function mismatch(message: string): ApiError {
  return new ApiError('quote_mismatch', message, { param: 'X-Service-Quote' });
}
