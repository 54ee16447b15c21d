import { type Queryable, statement } from '@kinora/database';
import { UrlSigner } from '@kinora/object-store';
import { waitFor } from '@kinora/testing';
import type { EventPage } from '@kinora/contracts/jobs/jobs.events';
import { v7 as uuidv7 } from 'uuid';
import { useDatabase } from '../../test/spec-database.fixtures';
import { insertJob, newJob } from '../../test/new-job.fixtures';
import { JobInsertRepository } from '../job/job-insert.repository';
import { JobRepository } from '../job/job.repository';
import { JobPresenter } from '../job/job.view';
import { ListEvents } from './use-cases/list-events.query';
import { EventFeedRepository } from './event-feed.repository';

/** Part of the load: transactions stay open for different times, so that they commit in another order than they began. */
const STAY_OPEN = statement('spec_stay_open', 'SELECT pg_sleep(random() * 0.02)');
/** A transaction with an id that stays open holds back `pg_snapshot_xmin` of the whole server. */
const TAKE_TRANSACTION_ID = statement('spec_take_transaction_id', 'SELECT pg_current_xact_id()');
const NUMBER = statement('spec_number_events', 'SELECT number_events($1, 500)');
const FIND_WAITING = statement(
  'spec_find_waiting',
  `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
);

const WRITERS = 8;
const READERS = 3;
const JOBS_A_WRITER = 15;

describe('the order of a feed', () => {
  const database = useDatabase();

  const jobs = new JobRepository(database);
  const inserts = new JobInsertRepository(database);
  const feed = new EventFeedRepository(database);
  const urls = new UrlSigner({ publicUrl: 'http://kinora.test', signingKey: 'k'.repeat(32) });
  const listEvents = new ListEvents(feed, jobs, new JobPresenter(urls));

  const store = async (accountId: string): Promise<string> => {
    const job = newJob({ account_id: accountId });
    await insertJob(inserts, job);
    return job.id;
  };
  const end = (transaction: Queryable, jobId: string) => jobs.end(transaction, jobId, { status: 'canceled' });
  const read = (accountId: string, after: string | null, limit = 100): Promise<EventPage> =>
    listEvents.execute({ account_id: accountId, limit, ...(after !== null && { after }) });
  const idsOf = ({ events }: EventPage): string[] => events.map(({ event }) => event.data.object.id);

  /** Ends a job, and commits when the returned function is called. */
  const endLater = async (jobId: string): Promise<() => Promise<void>> => {
    let commit = (): void => undefined;
    const released = new Promise<void>((resolve) => (commit = resolve));
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const committed = database.transaction(async (transaction) => {
      await end(transaction, jobId);
      begun();
      await released;
    });
    await isBegun;
    return () => {
      commit();
      return committed;
    };
  };

  it('has an event after those that were read, where its job ended first and was committed last', async () => {
    const accountId = uuidv7();
    const [early, late, last] = [await store(accountId), await store(accountId), await store(accountId)];
    const commitEarly = await endLater(early);
    await database.transaction((transaction) => end(transaction, late));
    const page = await read(accountId, null);
    expect(idsOf(page)).toEqual([late]);
    await commitEarly();
    await database.transaction((transaction) => end(transaction, last));
    const next = await read(accountId, page.next_cursor);
    expect(idsOf(next).toSorted()).toEqual([early, last].toSorted());
    expect(idsOf(await read(accountId, null))).toEqual([late, ...idsOf(next)]);
  });

  it('is numbered by one reader after the other', async () => {
    const accountId = uuidv7();
    const [first, second, third] = [await store(accountId), await store(accountId), await store(accountId)];
    const endNow = (id: string) => database.transaction((transaction) => end(transaction, id));
    await endNow(first);
    await read(accountId, null);
    await endNow(second);
    let release = (): void => undefined;
    let numbered = (): void => undefined;
    const isNumbered = new Promise<void>((resolve) => (numbered = resolve));
    const slowReader = database.transaction(async (transaction) => {
      await transaction.query(NUMBER, [accountId]);
      numbered();
      await new Promise<void>((resolve) => (release = resolve));
    });
    await isNumbered;
    await endNow(third);
    const reading = read(accountId, null);
    await waitFor(async () => (await database.query(FIND_WAITING)).length > 0);
    release();
    await slowReader;
    expect(idsOf(await reading)).toEqual([first, second, third]);
  });

  it('is not delayed by transactions of others that stay open', async () => {
    const accountId = uuidv7();
    const other = await endLater(await store(uuidv7()));
    let release = (): void => undefined;
    const elsewhere = database.transaction(async (transaction) => {
      await transaction.query(TAKE_TRANSACTION_ID);
      await new Promise<void>((resolve) => (release = resolve));
    });
    const mine = await store(accountId);
    await database.transaction((transaction) => end(transaction, mine));
    expect(idsOf(await read(accountId, null))).toEqual([mine]);
    release();
    await Promise.all([other(), elsewhere]);
  });

  it('gives every reader every event once and in one order, while writers commit in any order', async () => {
    const accountId = uuidv7();
    const stored = await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        const ids: string[] = [];
        for (let count = 0; count < JOBS_A_WRITER; count += 1) ids.push(await store(accountId));
        return ids;
      }),
    );
    let writing = WRITERS;
    const write = async (ids: string[]): Promise<void> => {
      for (const id of ids)
        await database.transaction(async (transaction) => {
          await end(transaction, id);
          await transaction.query(STAY_OPEN);
        });
      writing -= 1;
    };
    const sweep = async (): Promise<void> => {
      while (writing > 0) await feed.numberAll();
    };
    const follow = async (): Promise<string[]> => {
      const seen: string[] = [];
      let after: string | null = null;
      for (let isLast = false; !isLast;) {
        // Read before the page: what ended until then must be in it, or in a page before.
        isLast = writing === 0;
        const page: EventPage = await read(accountId, after, 7);
        seen.push(...idsOf(page));
        after = page.next_cursor;
        isLast &&= !page.has_more;
      }
      return seen;
    };
    const [, ...followed] = await Promise.all([
      Promise.all([...stored.map(write), sweep()]),
      ...Array.from({ length: READERS }, follow),
    ]);
    const [first, ...others] = followed;
    expect([...(first ?? [])].toSorted()).toEqual(stored.flat().toSorted());
    for (const other of others) expect(other).toEqual(first);
  });
});
