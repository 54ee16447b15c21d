import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { waitFor } from '@kinora/testing';
import { type ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';

const JOBS = 200;
const ERROR_MAX = 0.5;
const JOBS_A_WAVE = 25;
const WARM_UP = 4;

/** No estimate knows of other load on the machine, so it runs in the suite that has the machine for itself. */
describe('the estimated ends of jobs', () => {
  let stack: LocalStack;
  let client: ApiClient;

  beforeAll(async () => {
    stack = await LocalStack.start();
    ({ client } = await openAccount(stack));
  }, 120_000);
  afterAll(() => stack.stop());

  const progressOf = (id: string): Promise<JobProgress> => client.read<JobProgress>(`/jobs/${id}/progress`);

  it('have a median error below half of the time that is left', async () => {
    const warmUp = await Promise.all(Array.from({ length: WARM_UP }, () => client.generate({ prompt: 'a hill' })));
    for (const { id } of warmUp) await client.ended(id, 60_000);
    await waitFor(async () => (await estimateOfNewJob()) !== null);
    const errors: number[] = [];
    while (errors.length < JOBS) errors.push(...(await errorsOfWave()));
    errors.sort((a, b) => a - b);
    expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(ERROR_MAX);
  }, 900_000);

  /** The estimate of a job that is canceled at once. */
  async function estimateOfNewJob(): Promise<number | null> {
    const { id } = await client.generate({ prompt: 'a hill' });
    const { eta_seconds } = await progressOf(id);
    await client.post(`/jobs/${id}/cancel`);
    return eta_seconds;
  }

  /** Relative errors of the estimates, read while a wave of jobs is in the queue and at work. */
  async function errorsOfWave(): Promise<number[]> {
    const jobs = await Promise.all(
      Array.from({ length: JOBS_A_WAVE }, (_, place) => client.generate({ prompt: `a hill, number ${place}` })),
    );
    await waitFor(async () => (await Promise.all(jobs.map(({ id }) => progressOf(id)))).some(isProcessing));
    const read = await Promise.all(jobs.map(async ({ id }) => ({ ...(await progressOf(id)), readAtMs: Date.now() })));
    const errors: number[] = [];
    for (const { job_id, eta_seconds, readAtMs } of read) {
      const ended = await client.ended(job_id, 60_000);
      const truth = (Date.parse(ended.completed_at ?? '') - readAtMs) / 1_000;
      // A job that had ended before its progress was read has no estimate.
      if (truth > 0) errors.push(Math.abs((eta_seconds ?? Number.POSITIVE_INFINITY) - truth) / truth);
    }
    return errors;
  }
});

function isProcessing({ status }: JobProgress): boolean {
  return status === 'processing';
}
