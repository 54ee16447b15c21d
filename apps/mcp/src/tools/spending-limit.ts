import type { Kinora, Quote, QuoteRequest } from '@kinora/client';
import { z } from 'zod';
import { ToolRefusal } from '../tool-context';

export const maxUsd = z
  .number()
  .positive()
  .describe(
    'The most that this call may cost, in US dollars. A dearer request is refused and costs nothing; see `quote`.',
  );

/**
 * The id of a quote that holds the price of a request.
 * @throws ToolRefusal where the request costs more than `limitUsd`, or would be refused
 */
export async function quoteWithin(kinora: Kinora, request: QuoteRequest, limitUsd: number): Promise<string> {
  const quote = await kinora.quotes.create(request);
  if (quote.id === null || quote.price === null || !quote.would_be_accepted) throw new ToolRefusal(refusalOf(quote));
  if (quote.price.usd > limitUsd)
    throw new ToolRefusal(
      `This costs ${quote.price.usd} USD, and max_usd is ${limitUsd}. Nothing was created. Ask the user for a higher max_usd, or ask for less (fewer images, a smaller size, a shorter video, another model).`,
    );
  return quote.id;
}

function refusalOf({ refusals }: Quote): string {
  const reasons = refusals.map(
    ({ code, param, message }) => `${code}${param === null ? '' : ` (${param})`}: ${message}`,
  );
  return `The request would be refused. Nothing was created. ${reasons.join(' ') || 'Its price depends on the size: name one, or give the image itself instead of its address.'}`;
}
