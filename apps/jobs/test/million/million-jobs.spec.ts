import path from 'node:path';
import type { JobSummaryPage } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { type CostLimits, type MeasuredDatabase, pagesOf, statementNames } from '@kinora/testing';
import { encodeCursor } from '../../src/job/cursor';
import { JobRepository } from '../../src/job/job.repository';
import { JobSummaryRepository } from '../../src/operations/job-summary.repository';
import { ListAllJobs } from '../../src/operations/use-cases/list-all-jobs.query';
import { MONTH_ENDS, jobId } from './million-ids.fixtures';
import { FEW, MANY } from './million-jobs.fixtures';
import { READS } from './million-reads.fixtures';
import { createMillionJobs, worksOf } from './million-works.fixtures';

/** Audits of operators, which read all rows on purpose. */
const AUDITS = ['usage_allow_a_minute', 'usage_find_violations'];
/** The statements behind gauges and totals: each has a limit, and is cached. */
const COUNTS = [
  'attempt_count_by_instance',
  'attempt_count_tasks',
  'attempt_list_unknown',
  'job_count_failures',
  'job_count_in_flight',
  'job_count_unsettled',
];
/** A first start of the dispatcher; and a page of all jobs that its latest days or its month do not fill. */
const READ_ALL_MONTHS = ['job_list_finished', 'job_summary_list', 'job_summary_page_end', 'job_list_priced'];
const LIMITS: CostLimits = {
  // A page of rows, each found by an index. A statement that reads all jobs in flight reads ten thousand rows here.
  most: 600,
  // A page of rows, each of which is added to or removed from every index of its table.
  mostOf: {
    // An hour of four instances, with a run a second.
    instance_hour_list: 800,
    attempt_open: 2_500,
    attempt_claim_polls: 1_500,
    attempt_claim_others: 3_000,
    attempt_record_work: 2_500,
    feed_prune: 7_500,
    run_time_prune: 2_500,
    instance_run_prune: 7_500,
    // The last two thousand runs of each of four instances. One process reads them every two seconds.
    instance_run_measure: 10_000,
    unkeyed_purge: 7_500,
    // All jobs in flight, for each page of a listing: a sweep of one process, which no client starts.
    object_find_orphan_inputs: 3_000,
    // A page of events, each of which enters four indexes; for all accounts, a few of such pages.
    feed_number: 10_000,
    feed_number_all: 25_000,
    // Four pages for each open attempt of which there are eleven thousand here. One read at a time and two a second, for all clients.
    model_load_read: 60_000,
    // The run times of an hour, and the queue of fifty thousand jobs by its index. One read at a time, for all clients.
    run_time_list: 1_500,
    // The rows too, because the index does not hold the id, by which the months are bounded. One read a second and model.
    queue_marks_read: 2_500,
    backlog_count: 2_500,
    // Its trigger is planned for all months once a connection.
    job_give_up_unknown: 1_000,
    // Every minute. The first list of a connection loads what the catalog says of each of forty months.
    partition_list: 6_000,
    // The first 500 places of a queue, stored anywhere, and four pages for each job of a batch.
    job_progress_read: 1_000,
    idempotency_purge: 7_500,
    // The newest thousand jobs of an account, stored anywhere: four pages for each.
    job_search: 5_000,
    // A page holds five hundred jobs, and as many of each status are read, each of which is on a page of its own.
    job_summary_list_of_account: 2_000,
    job_claim_unended_holds: 2_500,
    job_claim_uncleared_files: 2_500,
    job_claim_expired_outputs: 2_500,
  },
  // The open months, and one on each side of them.
  mostPlanned: 4,
  acrossPartitions: [
    // A report of a month, and an account's closed months beside the open ones.
    ...['usage_measure_latency', 'job_search', 'job_list_oldest_videos'],
    ...READ_ALL_MONTHS,
  ],
  plannedForAll: READ_ALL_MONTHS,
  // All rows of the first are to be processed, and a third of those of the second are read. The third is small: a row
  // for each key that has signed.
  readWhole: ['usage_pending', 'run_time', 'receipt_key'],
};
/** The tolerance for where an account's rows are stored and for the height of an index. */
const CHANCE_PAGES = 8;
/** Four reports read the rows of the jobs of partial minutes: a minute has 23 jobs of one account, and hardly any of the other. */
const MINUTE_PAGES = 48;

describe('with a million jobs', () => {
  let database: MeasuredDatabase;

  beforeAll(async () => {
    database = await createMillionJobs();
  }, 3_600_000);
  afterAll(() => database.close());

  async function expectSameCost(work: (account: string) => Promise<unknown>, chance = CHANCE_PAGES): Promise<void> {
    const [many, few] = [await database.costsOf(() => work(MANY)), await database.costsOf(() => work(FEW))];
    expect(pagesOf(many)).toBeLessThanOrEqual(1.2 * pagesOf(few) + chance);
  }

  it.each(READS)('$name cost the same as with a thousand', ({ name, work }) =>
    expectSameCost((account) => work(database, account), name.startsWith('usage') ? MINUTE_PAGES : CHANCE_PAGES),
  );

  it("an operator's list with a rare filter reads a part of the jobs for each page, and reaches the rare ones", async () => {
    const list = new ListAllJobs(new JobRepository(database), new JobSummaryRepository(database));
    const found: string[] = [];
    let cursor: string | null = encodeCursor({ createdAt: MONTH_ENDS, id: jobId(58_000) });
    for (let pages = 0; pages < 2 && cursor !== null; pages++) {
      const page: JobSummaryPage = await list.execute({ model: 'rare', cursor });
      found.push(`${page.data.length} of ${pages}`, ...page.data.map(({ job_id }) => job_id));
      cursor = page.next_cursor;
    }
    expect(found).toEqual(['0 of 0', '1 of 1', jobId(50_007)]);
    expect(cursor).not.toBeNull();
  });

  it('every statement uses an index and reads few pages', async () => {
    for (const work of worksOf(database)) await work();
    expect(database.costlierThan(LIMITS)).toEqual([]);
    expect(database.unmeasured(statementNames(path.join(__dirname, '../../src')))).toEqual([...COUNTS, ...AUDITS]);
  });
});
