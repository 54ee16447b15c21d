import { FakeOpenAiServer } from '@kinora/compute/fixtures';
import { waitFor } from '@kinora/testing';
import { JobsServiceFixture } from './jobs-service.fixtures';

const MAKE_OVERDUE = 'UPDATE job SET deadline_at = clock_timestamp() WHERE id = $1';
const ATTEMPTS =
  'SELECT provider, state, outcome, spooled IS NOT NULL AS is_spooled FROM attempt WHERE job_id = $1 ORDER BY number';
const IS_WAITING = 'SELECT FROM job WHERE id = $1 AND claimable_at IS NOT NULL';

interface SeenAttempt {
  provider: string;
  state: string;
  outcome: string | null;
  is_spooled: boolean;
}

describe('a backend that answers with the result', () => {
  let first: FakeOpenAiServer;
  let second: FakeOpenAiServer;
  let jobs: JobsServiceFixture;

  beforeAll(async () => {
    first = await FakeOpenAiServer.start('vllm-omni');
    second = await FakeOpenAiServer.start('vllm-omni');
    const instance = { type: 'openai-images', dialect: 'vllm-omni', concurrency: 2 };
    const instances = [
      { ...instance, id: 'gpu-a', url: first.url },
      { ...instance, id: 'gpu-b', url: second.url },
    ];
    jobs = await JobsServiceFixture.start('api,runner', {}, instances);
    jobs.fakes.model = {
      routes: [
        { provider: 'gpu-a', weight: 1, order: 0 },
        { provider: 'gpu-b', weight: 1, order: 1 },
      ],
    };
  });

  afterAll(async () => {
    await jobs.close();
    await first.stop();
    await second.stop();
  });

  const attemptsOf = (jobId: string) => jobs.query<SeenAttempt>(ATTEMPTS, jobId);

  /** A job that the first instance works on. */
  async function begin(): Promise<string> {
    const { job } = await jobs.create();
    await waitFor(() => first.workingCount === 1);
    return job.id;
  }

  it('sets its job to processing while it works, and is not polled after it has answered', async () => {
    jobs.fakes.outputVerdict = 'unavailable';
    const jobId = await begin();
    await jobs.whenProcessing(jobId);
    first.finish();
    await waitFor(() => jobs.service.log.of('outputs_not_collected').some(({ job_id }) => job_id === jobId));
    expect(await attemptsOf(jobId)).toMatchObject([{ state: 'collecting', is_spooled: true }]);
    jobs.fakes.outputVerdict = 'passed';
    expect(await jobs.whenEnded(jobId)).toMatchObject({ status: 'succeeded', usage: { gpu_ms: 1_500 } });
    expect(first.received).toHaveLength(1);
    await waitFor(async () => !(await jobs.storedFiles()).some((name) => name.startsWith('spooled-')));
  });

  it('stops its work when the job is canceled', async () => {
    const jobId = await begin();
    await jobs.cancel(jobId);
    await waitFor(() => first.workingCount === 0);
    expect(await attemptsOf(jobId)).toMatchObject([{ outcome: 'canceled' }]);
  });

  it('stops its work when the job times out', async () => {
    const jobId = await begin();
    await jobs.whenProcessing(jobId);
    await jobs.execute(MAKE_OVERDUE, jobId);
    expect(await jobs.whenEnded(jobId)).toMatchObject({ status: 'failed', error: { code: 'provider_timeout' } });
    await waitFor(() => first.workingCount === 0);
  });

  it('hands its job to another instance once when it fails', async () => {
    const jobId = await begin();
    first.end('out_of_memory');
    await waitFor(() => second.workingCount === 1);
    second.end('out_of_memory');
    expect(await jobs.whenEnded(jobId)).toMatchObject({ status: 'failed', error: { code: 'provider_error' } });
    expect(await attemptsOf(jobId)).toMatchObject([
      { provider: 'gpu-a', outcome: 'failed' },
      { provider: 'gpu-b', outcome: 'failed' },
    ]);
  });

  it('receives a lost job once more', async () => {
    const jobId = await begin();
    await jobs.whenProcessing(jobId);
    first.restart();
    await waitFor(() => first.workingCount + second.workingCount === 1);
    first.finish();
    second.finish();
    expect(await jobs.whenEnded(jobId)).toMatchObject({ status: 'succeeded' });
    expect(await attemptsOf(jobId)).toMatchObject([{ outcome: 'lost' }, { outcome: 'succeeded' }]);
  });

  it('does not delay the shutdown of a process, which requeues the job without counting a loss', async () => {
    const jobId = await begin();
    await jobs.whenProcessing(jobId);
    await jobs.service.close();
    // The backend notices the closed connection a moment later.
    await waitFor(() => first.workingCount === 0);
    expect(await attemptsOf(jobId)).toMatchObject([{ outcome: 'refused' }]);
    expect(await jobs.query(IS_WAITING, jobId)).toHaveLength(1);
  });
});
