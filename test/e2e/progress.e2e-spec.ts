import type { Job } from '@kinora/contracts/jobs/job';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { type ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';

/** The default stack: the sandbox draws with one thread for each core, and reports what it has drawn. */
describe('following jobs', () => {
  let stack: LocalStack;
  let client: ApiClient;
  let apiKey: string;
  let baseUrl: string;

  beforeAll(async () => {
    stack = await LocalStack.start();
    const account = await openAccount(stack);
    ({ client, apiKey } = account);
    baseUrl = client.baseUrl;
  }, 120_000);
  afterAll(() => stack.stop());

  const progressOf = (id: string): Promise<JobProgress> => client.read<JobProgress>(`/jobs/${id}/progress`);

  it('answers a creation with its end where the client prefers to wait', async () => {
    const answer = await client.post<Job>(
      '/images/generations',
      { prompt: 'a lake', size: '512x512' },
      { prefer: 'wait=60' },
    );
    expect([answer.status, answer.body.status]).toEqual([200, 'succeeded']);
    expect(answer.headers.get('preference-applied')).toBe('wait=60');
  });

  it('streams the progress that the sandbox reports, and the job at the end', async () => {
    const job = await client.generate({ prompt: 'a forest in the rain', size: '1024x1024', n: 4 });
    const headers = { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream' };
    const response = await fetch(`${baseUrl}/jobs/${job.id}/events`, { headers });
    const text = await response.text();
    const events = [...text.matchAll(/^event: (.+)\ndata: (.+)$/gm)].map(([, type = '', data = '']) => ({
      type,
      data,
    }));
    const last = events.at(-1);
    expect([last?.type, (JSON.parse(last?.data ?? '{}') as Job).id]).toEqual(['job.succeeded', job.id]);
    const parts = events.slice(0, -1).map(({ data }) => (JSON.parse(data) as JobProgress).progress ?? 0);
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
    expect(parts.some((part) => part > 0 && part < 1)).toBe(true);
    expect(await progressOf(job.id)).toMatchObject({ status: 'succeeded', progress: 1, eta_seconds: null });
  });
});
