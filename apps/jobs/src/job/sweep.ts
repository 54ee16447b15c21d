import type { Logger } from '@kinora/service-kit';
import { PAGE } from './job.repository';

/** Processes the rows of a page. A row that fails is logged and retried later; it does not stop the others. */
export async function sweepRows<Row extends { id: string }>(
  rows: Row[],
  logger: Logger,
  work: (row: Row) => Promise<unknown>,
): Promise<{ more: boolean }> {
  const outcomes = await Promise.allSettled(rows.map(work));
  outcomes.forEach((outcome, index) => {
    if (outcome.status === 'rejected')
      logger.warn({ job_id: rows[index]?.id, reason: String(outcome.reason) }, 'job_not_swept');
  });
  return { more: outcomes.filter(({ status }) => status === 'fulfilled').length === PAGE };
}
