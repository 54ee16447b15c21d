import type { JobList } from '@kinora/contracts/jobs/job';
import { openAccount } from '../../support/operator';
import { expectHeaders, expectJob } from './resources';
import { aBoolean, aText } from './shapes';
import { DELAY, type TestBed } from './test-bed';

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
