import { type MeasuredDatabase, type TestDatabase, fillTable } from '@kinora/testing';
import { QuoteSalesRepository } from '../../src/operations/job-summary.repository';
import { ReceiptKeyRepository, ReceiptRowRepository } from '../../src/receipt/receipt.repository';
import { UsageRepository } from '../../src/usage/usage.repository';
import { MONTH_ENDS, jobId } from './million-ids.fixtures';
import { MANY } from './million-jobs.fixtures';

const KEYS = 200;
const WEEK_MS = 7 * 24 * 60 * 60_000;
/** The period of a report by default. */
const REPORT_MS = 30 * 24 * 60 * 60_000;

/** More keys than an installation ever has. */
export async function fillReceiptKeys({ adminUrl }: TestDatabase): Promise<void> {
  await fillTable(adminUrl, 'jobs.receipt_key', [
    `INSERT INTO receipt_key (kid, x) SELECT 'key-' || number, 'x' FROM generate_series(1, ${KEYS}) AS number`,
  ]);
}

export function worksOfReceipts(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const keys = new ReceiptKeyRepository(database);
  const sales = new QuoteSalesRepository(database);
  const week = new Date(MONTH_ENDS.getTime() - WEEK_MS);
  return [
    () => keys.add([{ kid: 'key-0', x: 'x' }]),
    () => keys.list({ withWithdrawn: true }),
    () => keys.find('key-7'),
    () => keys.withdraw('key-7'),
    async () => expect(await new ReceiptRowRepository(database).find(jobId(7), MANY)).not.toBeNull(),
    async () => expect(await sales.list(week, null)).not.toEqual([]),
    () => sales.list(week, MANY),
  ];
}

export function worksOfUsage(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const usage = new UsageRepository(database);
  const period = { from: new Date(MONTH_ENDS.getTime() - REPORT_MS), to: MONTH_ENDS, truncated: false };
  return [
    () => usage.now(),
    () => usage.sum(MANY, period, 'day'),
    () => usage.sum(MANY, period, 'model'),
    () => usage.listSpend(MANY, period),
    () => usage.measureLatency(MANY, period),
    () => usage.rollUp(),
  ];
}
