import { type Job, type JobProgress, Kinora } from '@kinora/client';
import { toJobAnswer } from './job-answer';

const kinora = new Kinora({ apiKey: 'knr_test_x', baseURL: 'http://api.example/v1' });
const ID = '019aa00d-5c1e-7b52-8f36-2f1f0e9d6c11';
const job = (status: string) =>
  ({ id: ID, object: 'job', status, model: 'fast-image', usage: { charged_usd: 0 }, output: null }) as Job;
/** The last that a wait has heard, while the job was under way. */
const PROGRESS: JobProgress = {
  ...{ object: 'job.progress', job_id: ID, status: 'processing' },
  ...{ progress: 0.4, queue_position: 0, eta_seconds: 7, updated_at: '2026-11-24T00:00:00Z' },
};

describe('the answer of a job', () => {
  it('says how far a job under way is', async () => {
    const { structuredContent } = await toJobAnswer(kinora, job('processing'), PROGRESS);
    expect(structuredContent).toMatchObject({ progress: 0.4, eta_seconds: 7, queue_position: 0 });
  });

  it.each(['succeeded', 'failed', 'canceled'])('has no former progress of a job that has %s', async (status) => {
    const { structuredContent = {} } = await toJobAnswer(kinora, job(status), PROGRESS);
    expect(Object.keys(structuredContent)).toEqual(['job_id', 'status', 'model', 'charged_usd', 'next']);
  });
});
