import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import { v7 as uuidv7 } from 'uuid';
import { sampleJob } from './sample-job';

/** The event of a job that does not exist. */
export function testEvent(account_id: string, webhook_url: string): JobFinished {
  const jobId = uuidv7();
  const event_id = `evt_test_${jobId.replaceAll('-', '')}`;
  return { event_id, account_id, webhook_url, job: sampleJob(jobId, new Date()) };
}
