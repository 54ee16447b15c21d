import type { ListAllJobsRequest } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { v7 as uuidv7 } from 'uuid';
import { useDatabase } from '../../../test/spec-database.fixtures';
import { JobRepository } from '../../job/job.repository';
import { JobSummaryRepository } from '../job-summary.repository';
import { insertUsedJob } from '../../../test/used-job.fixtures';
import { ListAllJobs } from './list-all-jobs.query';

describe('list all jobs', () => {
  const database = useDatabase();
  let listAllJobs: ListAllJobs;
  const ada = uuidv7();
  const eve = uuidv7();
  const ids: string[] = [];

  beforeAll(async () => {
    listAllJobs = new ListAllJobs(new JobRepository(database), new JobSummaryRepository(database));
    for (const [accountId, status, model] of [
      [ada, 'succeeded', 'one'],
      [eve, 'failed', 'two'],
      [ada, 'queued', 'two'],
      [eve, 'succeeded', 'one'],
      [ada, 'failed', 'one'],
    ] as const)
      ids.push(
        await insertUsedJob(database, { id: uuidv7(), accountId, status, model, at: '2026-03-01T00:00:00.007Z' }),
      );
  });

  async function nextPages(request: ListAllJobsRequest): Promise<number[]> {
    const seen: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await listAllJobs.execute({ ...request, ...(cursor && { cursor }) });
      expect(page.has_more).toBe(page.next_cursor !== null);
      seen.push(...page.data.map(({ job_id }) => ids.indexOf(job_id)));
      cursor = page.next_cursor;
    }
    return seen;
  }

  it('shows each job of all accounts once, newest first', async () => {
    expect(await nextPages({ limit: 2 })).toEqual([4, 3, 2, 1, 0]);
    expect((await listAllJobs.execute({ limit: 1 })).data).toEqual([
      {
        job_id: ids[4],
        account_id: ada,
        status: 'failed',
        kind: 'image.generation',
        model: 'one',
        error_code: 'provider_error',
        charged_micros: 0,
        created_at: '2026-03-01T00:00:00.007Z',
        completed_at: '2026-03-01T00:00:00.007Z',
        provider: 'sandbox',
      },
    ]);
  });

  it.each<[ListAllJobsRequest, number[]]>([
    [{ account_id: ada }, [4, 2, 0]],
    [{ status: 'failed' }, [4, 1]],
    [{ model: 'one' }, [4, 3, 0]],
    [{ account_id: eve, status: 'failed', model: 'two' }, [1]],
    [{ account_id: uuidv7() }, []],
  ])('shows only the jobs of %j', async (filter, expected) => {
    expect(await nextPages({ ...filter, limit: 1 })).toEqual(expected);
  });

  it.each<[() => ListAllJobsRequest, number[]]>([
    [() => ({ search: String(ids[2]) }), [2]],
    [() => ({ search: String(ids[2]).toUpperCase().slice(0, -1) }), [2]],
    [() => ({ search: String(ids[2]), account_id: eve }), []],
    [() => ({ provider: 'sandbox', account_id: ada }), [4, 2, 0]],
    [() => ({ provider: 'none' }), []],
    [() => ({ error_code: 'provider_error' }), [4, 1]],
    [() => ({ error_code: 'provider_error', account_id: ada }), [4]],
    [() => ({ error_code: 'timeout' }), []],
    [() => ({ since: new Date(Date.now() - 60_000).toISOString() }), [4, 3, 2, 1, 0]],
    [() => ({ until: new Date(Date.now() - 60_000).toISOString() }), []],
    [() => ({ since: new Date(Date.now() + 60_000).toISOString(), account_id: ada }), []],
  ])('finds the jobs of %s', async (filter, expected) => {
    expect(await nextPages({ ...filter(), limit: 1 })).toEqual(expected);
  });

  it.each<[string, object]>([
    ['limit', { limit: 101 }],
    ['limit', { limit: 1.5 }],
    ['account_id', { account_id: 'x' }],
    ['status', { status: 'happy' }],
    ['cursor', { cursor: 'x' }],
    ['search', { search: 'job' }],
    ['search', { search: '0'.repeat(33) }],
    ['error_code', { error_code: 7 }],
    ['since', { since: 'yesterday' }],
    ['until', { until: '2026-99-01T00:00:00Z' }],
  ])('refuses %s with a value that is not valid: %j', async (param, request) => {
    await expect(listAllJobs.execute(request)).rejects.toMatchObject({ param });
  });
});
