import { type MeasuredDatabase, type TestDatabase, fillTable } from '@kinora/testing';
import { JobRepository } from '../../src/job/job.repository';
import { EventFeedRepository, FEED_PRUNE_PAGE, NUMBERED_AT_ONCE } from '../../src/reading/event-feed.repository';
import { FEW_JOBS, MANY_JOBS, MONTHS, jobId, jobIdSql } from './million-ids.fixtures';
import { FEW, MANY } from './million-jobs.fixtures';

/** Ended jobs of the account with a million jobs: first those with a position, then those that wait for one. */
const WAITING = Math.min(30_000, Math.floor(MANY_JOBS / MONTHS / 3));
const NUMBERED = MANY_JOBS - WAITING;
/** Jobs that stand for the ended jobs of other accounts, each of which has one. */
const OTHERS = Math.floor(WAITING / 3);
const MIDDLE = Math.floor(NUMBERED / 2);
const ID = jobIdSql('number');

/** Fills the feeds as after a month in which a million jobs ended, the last of them at once. */
export async function fillEvents({ adminUrl }: TestDatabase): Promise<void> {
  await fillTable(adminUrl, 'jobs.feed_event', [
    `INSERT INTO feed_event (account_id, number, token, job_id, type, numbered_at)
     SELECT '${MANY}', number, ${ID}, ${ID},
            CASE number % 4 WHEN 0 THEN 'job.canceled' WHEN 1 THEN 'job.failed' ELSE 'job.succeeded' END,
            now() - (${NUMBERED} - number) * (interval '30 days' / ${NUMBERED})
       FROM generate_series(1, ${NUMBERED}) AS number`,
  ]);
  await fillTable(adminUrl, 'jobs.event_feed', [
    `INSERT INTO event_feed (account_id, last_number, last_token, last_numbered_at)
     VALUES ('${MANY}', ${NUMBERED}, ${jobIdSql(String(NUMBERED))}, now())`,
    `INSERT INTO event_feed (account_id) SELECT gen_random_uuid() FROM generate_series(1, ${OTHERS})`,
  ]);
  await fillTable(adminUrl, 'jobs.event_pending', [
    `INSERT INTO event_pending (account_id, job_id)
     SELECT CASE WHEN number > ${NUMBERED + OTHERS} THEN '${MANY}' ELSE gen_random_uuid() END, ${ID}
       FROM generate_series(${NUMBERED + 1}, ${MANY_JOBS}) AS number`,
    `INSERT INTO event_pending (account_id, job_id)
     SELECT '${FEW}', ${ID} FROM generate_series(${MANY_JOBS + FEW_JOBS - 9}, ${MANY_JOBS + FEW_JOBS}) AS number`,
  ]);
}

export function worksOfEvents(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const feed = new EventFeedRepository(database);
  const jobs = new JobRepository(database);
  const middle = { number: MIDDLE, token: jobId(MIDDLE) };
  const page = { type: null, limit: 101 };
  return [
    async () => expect(await feed.number(MANY)).toBe(NUMBERED_AT_ONCE),
    async () => expect(await feed.numberAll()).toEqual({ more: true }),
    async () => {
      const { entries } = await feed.list(MANY, { ...page, after: middle });
      expect(await jobs.findMany(entries.map(({ job_id }) => job_id))).toHaveLength(page.limit);
    },
    () => feed.list(MANY, { ...page, after: null }),
    () => feed.list(MANY, { ...page, after: { jobId: jobId(NUMBERED - 200) } }),
    () => feed.list(MANY, { ...page, after: middle, type: 'job.canceled' }),
    async () => expect(await feed.prune(1)).toBe(FEED_PRUNE_PAGE),
    async () => expect(await feed.prune(365)).toBe(0),
  ];
}
