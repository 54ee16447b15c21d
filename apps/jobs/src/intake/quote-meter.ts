import type { AppliedQuote } from '../model/price';
import type { JobRow } from '../job/job.entity';
import { quoteShortfall, quotedJobs } from '../jobs.metrics';

/** Counts a job that was created under a quote, by how the price list has moved since. */
export function meterQuote({ list_micros }: AppliedQuote, { model, price_micros }: JobRow): void {
  const shortfall = list_micros - price_micros;
  quotedJobs.inc({ model, held: shortfall > 0 ? 'below' : shortfall < 0 ? 'above' : 'same' });
  if (shortfall > 0) quoteShortfall.inc({ model }, shortfall);
}
