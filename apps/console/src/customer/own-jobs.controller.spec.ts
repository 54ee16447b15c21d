import { type SearchJobsRequest, ownJobsRpc } from '@kinora/contracts/jobs/own-jobs.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import { answering, on } from '@kinora/testing';
import { createHash } from 'node:crypto';
import { useConsole } from '../../test/console.fixtures';

const ID = '0192f3a0-0000-7000-8000-000000000001';
const LINK = 'http://files.test/signed';
const asked: object[] = [];
const bed = useConsole(
  {},
  answering(
    on(ownJobsRpc.search, (request: SearchJobsRequest) => {
      asked.push(request);
      const output = { images: [{ url: LINK, mime: 'image/png', width: 8, height: 8 }] };
      const job = { object: 'job', id: ID, output } as unknown as Job;
      return { object: 'list' as const, data: [job], has_more: false, next_cursor: null };
    }),
    on(ownJobsRpc.showUsage, (request) => {
      asked.push(request);
      return { spend: [], latency: null };
    }),
  ),
);

describe('the search of jobs and the details of usage', () => {
  it('prove the key of the session, and hide the signed links', async () => {
    const key = bed.keys.create('read');
    const browser = await bed.signedIn(key);
    const key_sha256 = createHash('sha256').update(key.api_key).digest('hex');
    const found = await browser.get('/admin/v1/customer/job-search?words=a%20b&kind=&account_id=x&limit=3');
    const url = `/media/${ID}/0`;
    expect(found.json()).toMatchObject({ data: [{ output: { images: [{ url }] } }], has_more: false });
    expect((await browser.get('/admin/v1/customer/usage-details?from=2026-03-01')).status).toBe(200);
    expect(asked).toEqual([
      { key_sha256, words: 'a b', limit: 3 },
      { key_sha256, from: '2026-03-01' },
    ]);
    const refused = await browser.get('/admin/v1/customer/job-search?words=a&words=b');
    expect(refused.json()).toMatchObject({ error: { code: 'invalid_query', param: 'words' } });
  });
});
