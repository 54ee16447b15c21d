import type { Job, JobList } from '@kinora/contracts/jobs/job';
import { openAccount } from '../../support/operator';
import { expectHeaders, expectJob } from './resources';
import { aBoolean, aText } from './shapes';
import { DELAY, type TestBed } from './test-bed';

export function describeJobs(testBed: TestBed): void {
  const created = (): Promise<Job> => testBed.client.generate({ prompt: DELAY, seed: 5, metadata: { order: '17' } });

  describe('GET /jobs/{id}', () => {
    it('returns the created job, with all resolved values', async () => {
      const job = await created();
      const { status, body, headers } = await testBed.client.get<Job>(`/jobs/${job.id}`);
      expect(status).toBe(200);
      expectHeaders(headers);
      expectJob(body);
      const { status: _now, started_at: _startedAt, ...unchanged } = job;
      expect(body).toMatchObject(unchanged);
      expect(body.input).toMatchObject({ prompt: DELAY, model: 'general-image', size: '512x512', n: 1, seed: 5 });
      expect(body.input).toMatchObject({ steps: expect.any(Number) as number, guidance: expect.any(Number) as number });
      expect(body).toMatchObject({ moderation: { status: 'pending' }, metadata: { order: '17' }, expires_at: null });
      await testBed.client.post(`/jobs/${job.id}/cancel`);
    });
  });

  describe('POST /jobs/{id}/cancel', () => {
    it('refunds everything before it answers, and gives the same response again', async () => {
      const { client } = await openAccount(testBed.stack, { balance_micros: 1_000_000, max_concurrent_jobs: 1 });
      const { id, usage } = await client.generate({ prompt: DELAY });
      expect(await client.balanceMicros()).toBe(1_000_000 - usage.charged_micros);
      const canceled = await client.post<Job>(`/jobs/${id}/cancel`);
      expectJob(canceled.body);
      const ended = { status: 'canceled', error: null, output: null, moderation: { status: 'passed' } };
      expect(canceled.body).toMatchObject({ ...ended, usage: { charged_micros: 0, charged_usd: 0 } });
      expect(await client.balanceMicros()).toBe(1_000_000);
      expect((await client.post<Job>(`/jobs/${id}/cancel`)).body).toEqual(canceled.body);
      const next = await client.generate({ prompt: '[[fail:error]]' });
      const failed = await client.ended(next.id);
      expectJob(failed);
      expect((await client.post<Job>(`/jobs/${next.id}/cancel`)).body).toEqual(failed);
    });
  });
}

export function describeJobList(testBed: TestBed): void {
  describe('GET /jobs', () => {
    it.each(['limit=1', 'limit=100', 'limit=%31', `model=${encodeURIComponent('😀'.repeat(64))}`, 'status=failed', ''])(
      '?%s is a page',
      async (query) => {
        const { status, body, headers } = await testBed.client.get<JobList>(`/jobs?${query}`);
        expect([status, body]).toEqual([
          200,
          { object: 'list', data: expect.any(Array) as unknown, has_more: aBoolean, next_cursor: aText.orNull() },
        ]);
        expectHeaders(headers);
        body.data.forEach(expectJob);
        expect(body.has_more).toBe(body.next_cursor !== null);
      },
    );

    it('pages through all jobs, newest first, none twice, while new jobs arrive', async () => {
      const { client } = await openAccount(testBed.stack);
      const created: string[] = [];
      for (let job = 0; job < 5; job++) created.unshift((await client.generate({ prompt: DELAY })).id);
      const seen: string[] = [];
      for (let path: string | null = '/jobs?limit=2'; path !== null;) {
        const { body }: { body: JobList } = await client.get<JobList>(path);
        seen.push(...body.data.map(({ id }) => id));
        await client.generate({ prompt: DELAY });
        path = body.next_cursor === null ? null : `/jobs?limit=2&cursor=${body.next_cursor}`;
        expect((body.next_cursor ?? '').length).toBeLessThanOrEqual(200);
      }
      expect(seen).toEqual(created);
      expect((await client.get<JobList>('/jobs?status=succeeded')).body.data).toEqual([]);
      expect((await client.get<JobList>('/jobs?model=nobody')).body.data).toEqual([]);
      expect((await client.get<JobList>('/jobs?model=general-image')).body.data).toHaveLength(8);
    });

    it('a cursor of another account is refused', async () => {
      const [one, other] = [(await openAccount(testBed.stack)).client, (await openAccount(testBed.stack)).client];
      for (let job = 0; job < 2; job++) await one.generate({ prompt: DELAY });
      const { next_cursor } = (await one.get<JobList>('/jobs?limit=1')).body;
      const answer = await other.get<JobList>(`/jobs?cursor=${next_cursor}`);
      expect(answer.body.data ?? []).toEqual([]);
    });
  });
}
