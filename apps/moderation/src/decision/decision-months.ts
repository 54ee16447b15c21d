import { type Months, OpenMonths, daysAfter, monthsOfRows, timeOfId } from '@kinora/database';

/** A job ends within hours of its creation, and its outputs are judged before its end. */
const JUDGED_WITHIN_DAYS = 31;

/** The months of the decisions about a job. */
export function decisionMonthsOf(jobId: string): Months {
  const created = timeOfId(jobId);
  return monthsOfRows(created, new Date(Math.min(daysAfter(created, JUDGED_WITHIN_DAYS).getTime(), Date.now())));
}

/** The months of decisions. No decision changes: the newest months are open for the statements about the jobs of these days. */
export class DecisionMonths extends OpenMonths {
  protected override async isOpen(): Promise<boolean> {
    return false;
  }
}
