import { type Database, firstIdOf, statement } from '@kinora/database';
import { JobInsertRepository } from '../../src/job/job-insert.repository';
import { insertJob, newJob } from '../new-job.fixtures';
import { monthsOf } from '../spec-database.fixtures';
import { MONTHS, MONTH_ENDS } from './million-ids.fixtures';

const DAY_MS = 24 * 60 * 60_000;
const CREATE_EVERY_MS = 10;
/** The first whole month of jobs, and all before it. */
const DROPPED_UNTIL = new Date(Date.UTC(MONTH_ENDS.getUTCFullYear(), MONTH_ENDS.getUTCMonth() - MONTHS + 2));

/** A month stays while an event of it can be read, or an output is not deleted. */
const DELETE_EVENTS = statement('spec_delete_events', 'DELETE FROM feed_event WHERE job_id < $1');
const DELETE_OUTPUTS = statement(
  'spec_delete_outputs',
  'UPDATE job SET outputs_deleted_at = now() WHERE expires_at IS NOT NULL AND outputs_deleted_at IS NULL AND id < $1',
);
const LONGEST_WAIT = statement(
  'spec_longest_wait',
  `SELECT (extract(epoch FROM max(clock_timestamp() - waitstart)) * 1000)::double precision AS ms
     FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE NOT granted AND datname = current_database() AND query NOT LIKE 'ALTER TABLE%' AND query NOT LIKE 'DROP TABLE%'`,
);

export interface Drop {
  /** To detach and to drop a month, the slowest of them. */
  slowestMs: number;
  /** The longest wait of another statement for a lock. */
  waitedMs: number;
  months: number;
  createdASecond: number;
}

/** Drops the oldest months while a hundred jobs a second are created. */
export async function dropMonths(database: Database): Promise<Drop> {
  for (const deletion of [DELETE_EVENTS, DELETE_OUTPUTS]) await database.execute(deletion, [firstIdOf(DROPPED_UNTIL)]);
  const drops = timeDrops(database);
  const creations = startCreations(database);
  const retentionDays = Math.floor((Date.now() - DROPPED_UNTIL.getTime()) / DAY_MS);
  await monthsOf(database, retentionDays)[0].maintain(new Date());
  const created = await creations.stop();
  const slowestMs = Math.max(...drops.values());
  return { ...created, slowestMs, months: drops.size };
}

function timeDrops(database: Database): Map<string, number> {
  const drops = new Map<string, number>();
  const execute = database.execute.bind(database);
  jest.spyOn(database, 'execute').mockImplementation(async (dropped, values) => {
    const begunMs = performance.now();
    const result = await execute(dropped, values);
    const [, month] = /^(?:ALTER TABLE job DETACH PARTITION|DROP TABLE) (\w+)/.exec(dropped.text) ?? [];
    if (month !== undefined) drops.set(month, (drops.get(month) ?? 0) + performance.now() - begunMs);
    return result;
  });
  return drops;
}

function startCreations(database: Database) {
  const insertions = new JobInsertRepository(database);
  const creations: Promise<unknown>[] = [];
  const begunMs = performance.now();
  let waitedMs = 0;
  const readWaits = async (): Promise<void> => {
    const longest = await database.findOne<{ ms: number | null }>(LONGEST_WAIT);
    waitedMs = Math.max(waitedMs, longest?.ms ?? 0);
  };
  // A timer may be late, and then makes up for it.
  const timer = setInterval(() => {
    while (creations.length < (performance.now() - begunMs) / CREATE_EVERY_MS)
      creations.push(insertJob(insertions, newJob()));
    void readWaits();
  }, CREATE_EVERY_MS);
  return {
    stop: async (): Promise<Pick<Drop, 'waitedMs' | 'createdASecond'>> => {
      clearInterval(timer);
      await Promise.all([...creations, readWaits()]);
      const createdASecond = (creations.length / (performance.now() - begunMs)) * 1_000;
      return { waitedMs, createdASecond };
    },
  };
}
