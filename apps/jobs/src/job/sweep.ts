import type { Logger } from '@kinora/service-kit';

/** A repeated query for rows, and the work on them. */
export interface Sweep {
  name: string;
  everyMs: number;
  /** `more`: the page was full, so the next one follows without a pause. */
  work: () => Promise<{ more: boolean }>;
}

/**
 * Processes the rows of a page one by one. A row that fails is logged and retried later; it does not stop the others.
 * @returns how many succeeded.
 */
export async function sweepRows<Row extends { id: string }>(
  rows: Row[],
  logger: Logger,
  work: (row: Row) => Promise<unknown>,
): Promise<number> {
  const outcomes = await Promise.allSettled(rows.map(work));
  outcomes.forEach((outcome, index) => {
    if (outcome.status === 'rejected') {
      logger.warn({ job_id: rows[index]?.id, reason: String(outcome.reason) }, 'job_not_swept');
    }
  });
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}
