import type { MeasuredDatabase } from '@kinora/testing';
import { EndedJobRepository } from '../../src/ending/ended-job.repository';
import type { JobRow } from '../../src/job/job.entity';
import { monthsOf } from '../spec-database.fixtures';
import { jobId } from './million-ids.fixtures';
import { FIRST_RUNNING } from './million-jobs.fixtures';

/** What follows the end of a job, and the deletion of its content. */
export function worksOfEndings(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  return [...worksOfEndedJobs(database), ...worksOfDeletions(database)];
}

function worksOfEndedJobs(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const endedJobs = new EndedJobRepository(database);
  const [months] = monthsOf(database.plain);
  const findMonths = async () => {
    await months.boundOpenMonths(new Date());
    return months.monthsWithDeletions;
  };
  return [
    () => endedJobs.claimUnendedHolds(),
    () => endedJobs.claimUnclearedFiles(),
    async () => endedJobs.claimExpiredOutputs(await findMonths()),
    async () => endedJobs.claimUndeletedContents(await findMonths()),
    () => endedJobs.markSettled(jobId(FIRST_RUNNING + 99)),
    () => endedJobs.markHoldEnded(jobId(FIRST_RUNNING + 98)),
    () => endedJobs.markFilesCleared(jobId(FIRST_RUNNING + 98)),
    () => endedJobs.markOutputsDeleted(jobId(3)),
  ];
}

function worksOfDeletions(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const deletions = new EndedJobRepository(database);
  const left = { input: { prompt: '' }, plan: {} } as Pick<JobRow, 'input' | 'plan'>;
  return [
    () => deletions.requestDeletion(jobId(7)),
    () => deletions.deleteContent(jobId(7), left),
    () => deletions.deleteWebhookUrl(jobId(7)),
  ];
}
