import type { Job } from '@kinora/contracts/jobs/job';
import { openAccount } from '../../support/operator';
import { expectEnvelope, expectHeaders, expectJob } from './resources';
import { DELAY, type TestBed } from './test-bed';

/** A cancel takes no body and ignores one, up to the limit (decisions: Request bodies). */
const IGNORED: [what: string, type: string, body: string][] = [
  ['JSON', 'application/json', '{"reason":"none"}'],
  ['text that is not JSON', 'application/json', '{'],
  ['an empty body with a content type', 'application/json', ''],
  ['a form', 'application/x-www-form-urlencoded', 'a=b'],
  ['a text without a content type', 'nonsense', 'text'],
  ['1024 bytes', 'text/plain', 'x'.repeat(1_024)],
];

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

    it('accepts an id in capitals', async () => {
      const { id } = await created();
      expect((await testBed.client.get<Job>(`/jobs/${id.toUpperCase()}`)).body.id).toBe(id);
      await testBed.client.post(`/jobs/${id}/cancel`);
    });
  });

  describe('POST /jobs/{id}/cancel', () => {
    it.each(IGNORED)('%s is ignored', async (_, type, body) => {
      const { id } = await created();
      const answer = await testBed.client.post<Job>(`/jobs/${id}/cancel`, body, { 'content-type': type });
      expect([answer.status, answer.body.status]).toEqual([200, 'canceled']);
    });

    it('a body beyond 1024 bytes is refused', async () => {
      const { id } = await created();
      const answer = await testBed.client.post(`/jobs/${id}/cancel`, 'x'.repeat(1_025));
      expectEnvelope(answer, { status: 400, code: 'invalid_body' });
      await testBed.client.post(`/jobs/${id}/cancel`);
    });

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
