import { type MeasuredDatabase, numberedId as jobId } from '@kinora/testing';
import { JOBS_READ_A_PAGE_OF_ACCOUNT, JobSummaryRepository } from '../../src/operations/job-summary.repository';
import { MANY } from './million-jobs.fixtures';

/** The lists of the operator's command and of the console, also with filters that few jobs or none fit. */
export async function listSummaries(database: MeasuredDatabase): Promise<void> {
  const summaries = new JobSummaryRepository(database);
  await summaries.list({ status: null, model: null, beforeId: null }, 101, null);
  // Names without jobs: the page reads all the rows that it may.
  for (const rare of [{ model: 'none' }, { provider: 'none' }, { errorCode: 'none' }]) {
    const filter = { status: null, model: null, beforeId: jobId(900_000), ...rare };
    const end = await summaries.findPageEnd(filter);
    await summaries.list(filter, 101, end?.id ?? null);
  }
  expect(await summaries.listOfAccount(MANY, null, null)).toHaveLength(JOBS_READ_A_PAGE_OF_ACCOUNT);
  expect(await summaries.find(jobId(7))).not.toBeNull();
}
