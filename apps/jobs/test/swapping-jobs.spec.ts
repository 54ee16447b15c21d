import { type Database, migrate, statement } from '@kinora/database';
import { RANDOM_ID_SQL, type TestDatabase, createTestDatabase, undoMigrations } from '@kinora/testing';
import { JobInsertRepository } from '../src/job/job-insert.repository';
import { JobRepository } from '../src/job/job.repository';
import { migrations } from '../src/migrations/migrations';
import { insertJob, newJob } from './new-job.fixtures';

const JOBS = Number(process.env.KINORA_PARTITIONED_JOBS ?? 20_000);
const BEFORE = migrations.slice(0, 3);
const FILL = [
  `INSERT INTO job (id, account_id, model, price_micros, kind, input, images, provider, plan, input_decision_id, retention_days,
                    deadline_at)
   SELECT ${RANDOM_ID_SQL}, gen_random_uuid(), 'model', 1, 'image.generation', '{}', '[]', 'sandbox', '{}', gen_random_uuid(), 7,
          clock_timestamp() + interval '1 hour' FROM generate_series(1, ${JOBS})`,
  `INSERT INTO attempt (job_id, number, provider, upstream_id, next_check_at)
   SELECT id, 1, 'sandbox', id, clock_timestamp() FROM job LIMIT 1000`,
  'GRANT SELECT (state) ON attempt TO public',
];
const COUNT = 'SELECT count(*)::integer AS jobs, (SELECT count(*)::integer FROM attempt) AS attempts FROM job';
/** The indexes, triggers and grants of jobs. PostgreSQL prints a copied condition with fewer parentheses. */
const DESCRIBE = `
  SELECT pg_get_indexdef(indexrelid) AS part FROM pg_index WHERE indrelid IN ('job'::regclass, 'attempt'::regclass)
   UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid IN ('job'::regclass, 'attempt'::regclass) AND NOT tgisinternal
   UNION ALL SELECT attacl::text FROM pg_attribute WHERE attrelid = 'attempt'::regclass AND attacl IS NOT NULL`;

describe('jobs of an earlier release', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase('jobs', BEFORE);
    for (const fill of FILL) await test.database.execute(statement('', fill));
  });
  afterAll(() => test.close());

  const describeParts = async (): Promise<string[]> => {
    const rows = await test.database.query<{ part: string }>(statement('', DESCRIBE));
    return rows.map(({ part }) => part.replace(' ON ONLY ', ' ON ').replaceAll(/[()]/g, '')).sort();
  };

  it('become the first partition while jobs are created and end, and are the whole table again on the way back', async () => {
    const before = await describeParts();
    const writer = startWriter(test.database);
    const { ran } = await migrate(test.url, 'jobs', migrations);
    const latenciesMs = await writer.stop();
    expect(ran).toHaveLength(migrations.length - BEFORE.length);
    expect(latenciesMs.length).toBeGreaterThan(0);
    expect(Math.max(...latenciesMs)).toBeLessThan(1_000);
    const all = { jobs: JOBS + latenciesMs.length, attempts: Math.min(JOBS, 1_000) };
    expect(await test.database.findOne(statement('', COUNT))).toEqual(all);
    expect(await describeParts()).toEqual(before);

    await undoMigrations(test.url, { migrations, count: ran.length });
    expect(await test.database.findOne(statement('', COUNT))).toEqual(all);
    expect(await describeParts()).toEqual(before);
    expect((await migrate(test.url, 'jobs', migrations)).ran).toEqual(ran);
  }, 600_000);
});

/** Creates and ends jobs one after another, and measures each. */
function startWriter(database: Database) {
  const [insertions, jobs] = [new JobInsertRepository(database), new JobRepository(database)];
  const latenciesMs: number[] = [];
  let isStopped = false;
  const write = async (): Promise<void> => {
    while (!isStopped) {
      const begunMs = performance.now();
      const job = await insertJob(insertions, newJob());
      await database.transaction((transaction) => jobs.end(transaction, job?.id ?? '', { status: 'canceled' }));
      latenciesMs.push(performance.now() - begunMs);
    }
  };
  const written = write();
  return {
    stop: async (): Promise<number[]> => {
      isStopped = true;
      await written;
      return latenciesMs;
    },
  };
}
