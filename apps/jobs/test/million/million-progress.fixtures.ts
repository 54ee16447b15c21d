import { type MeasuredDatabase, type TestDatabase, fillTable, numberedId } from '@kinora/testing';
import { JobProgressRepository } from '../../src/progress/job-progress.repository';
import { RUN_TIME_PAGE, RunTimeRepository } from '../../src/progress/run-time.repository';
import { jobId } from './million-ids.fixtures';
import { DEEP_JOBS, DEEP_MODEL, FIRST_DEEP, FIRST_RUNNING, deepJobId } from './million-jobs.fixtures';

/** Kinds of jobs of which some end in every minute: by model, size class and run time. */
const KINDS = 500;
const MINUTES = 180;
/** What one batch reads. */
const BATCH = 32;

/** Three hours of run times, one of which is to be pruned. */
export async function fillProgress({ adminUrl }: TestDatabase): Promise<void> {
  await fillTable(adminUrl, 'jobs.run_time', [
    `INSERT INTO run_time (minute, model, kind, size_class, provider, bucket, jobs)
     SELECT date_trunc('minute', now()) - (${MINUTES} - minute) * interval '1 minute', 'model-' || class / 50, 'image.generation',
            class / 10 % 5, 'sandbox', class % 10, 12
       FROM generate_series(1, ${MINUTES}) AS minute, generate_series(0, ${KINDS - 1}) AS class`,
  ]);
}

export function worksOfProgress(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const progress = new JobProgressRepository(database);
  const runTimes = new RunTimeRepository(database);
  const find = (ids: string[]) => Promise.all(ids.map(async (id) => (await progress.find(id))?.ahead));
  const places = [0, 499, 500, 25_050, DEEP_JOBS - 1];
  const key = { model: 'model-1', kind: 'image.generation', size_class: 1, provider: 'sandbox' };
  return [
    async () => expect(await find([jobId(7), jobId(FIRST_RUNNING)])).toEqual([null, null]),
    async () => expect(await find(places.map(deepJobId))).toEqual([0, 499, 500, 25_000, 49_900]),
    async () => expect(await find([deepJobId(25_050)])).toEqual([25_000]),
    () => find(Array.from({ length: BATCH }, (_, place) => jobId(FIRST_DEEP + place))),
    () => progress.readLoad(),
    async () => expect(await progress.countAhead(DEEP_MODEL, numberedId(7))).toBe(DEEP_JOBS),
    async () => expect(await progress.countAhead(DEEP_MODEL, crypto.randomUUID())).toBe(1),
    () => runTimes.add(Array.from({ length: 10 }, (_, bucket) => ({ ...key, bucket, jobs: 3 }))),
    () => runTimes.listRecent(),
    async () => expect(await runTimes.prune()).toBe(RUN_TIME_PAGE),
  ];
}
