import { type MeasuredDatabase, type TestDatabase, fillTable, numberedId, numberedIdSql } from '@kinora/testing';
import { PURGED_REQUESTS_PAGE, UnkeyedRequestRepository } from '../../src/intake/unkeyed-request.repository';
import { JOBS_READ_A_PAGE_OF_ACCOUNT, JobSummaryRepository } from '../../src/operations/job-summary.repository';
import { MANY_JOBS, jobId } from './million-ids.fixtures';
import { MANY } from './million-jobs.fixtures';

/** Two hours of requests, a third of which their clients have left. The newest are the last. */
const REQUESTS = 200_000;
/** One in so many requests is an answered one of one client that sends the same body again and again. */
const ANSWERED_EVERY = 10;

export async function fillRequests({ adminUrl }: TestDatabase): Promise<void> {
  await fillTable(adminUrl, 'jobs.unkeyed_request', [
    `INSERT INTO unkeyed_request (id, account_id, request_hash, state, changed_at)
     SELECT ${numberedIdSql('number')}, ${numberedIdSql('CASE WHEN is_answered THEN 1 ELSE number % 100 END')},
            CASE WHEN is_answered THEN 'answered' ELSE 'hash-' || number END,
            CASE WHEN is_answered THEN 'answered' WHEN number % 3 = 0 THEN 'abandoned' ELSE 'open' END,
            now() - (${REQUESTS} - number) * interval '36 milliseconds'
       FROM generate_series(1, ${REQUESTS}) AS number, LATERAL (SELECT number % ${ANSWERED_EVERY} = 1 AS is_answered) AS row`,
  ]);
}

export function worksOfRequests(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const requests = new UnkeyedRequestRepository(database);
  const open = (number: number, request_hash: string, is_marked: boolean) =>
    requests.open({ account_id: numberedId(number % 100), request_hash, is_marked });
  // A number that 3 divides is that of an abandoned request.
  return [
    async () => expect(await open(199_998, 'hash-199998', false)).toEqual({ id: numberedId(199_998), sending: 2 }),
    async () => expect(await open(1, 'answered', false)).toMatchObject({ sending: 1 }),
    async () => expect(await open(1, 'answered', true)).toMatchObject({ sending: 2 }),
    () => open(1, 'another', true),
    () => requests.close({ id: numberedId(199_997), sending: 1, outcome: 'answered' }),
    () => requests.close({ id: numberedId(199_996), sending: 1, outcome: 'failed' }),
    async () => expect(await requests.purge()).toBe(PURGED_REQUESTS_PAGE),
  ];
}

/** The lists of the operator's command and of the console, also with filters that few jobs or none fit. */
export async function listSummaries(database: MeasuredDatabase): Promise<void> {
  const summaries = new JobSummaryRepository(database);
  await summaries.list({ status: null, model: null, beforeId: null }, 101, null);
  // Names without jobs: the page reads all the rows that it may.
  for (const rare of [{ model: 'none' }, { provider: 'none' }, { errorCode: 'none' }]) {
    const filter = { status: null, model: null, beforeId: jobId(MANY_JOBS * 0.9), ...rare };
    const end = await summaries.findPageEnd(filter);
    await summaries.list(filter, 101, end?.id ?? null);
  }
  expect(await summaries.listOfAccount(MANY, null, null)).toHaveLength(JOBS_READ_A_PAGE_OF_ACCOUNT);
  expect(await summaries.find(jobId(7))).not.toBeNull();
}
