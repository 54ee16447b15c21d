import { type TestDatabase, createTestDatabase, waitFor } from '@kinora/testing';
import { Client } from 'pg';
import { migrate } from './migrate';
import { indexMigration, sqlMigration } from './migrations.fixtures';
import { statement } from './statement';

const CONTEXT = 'migrate-spec';

/** Would fail if it ran twice, or in parallel with another run. */
const CREATE_THING = sqlMigration(
  'CreateThing1795165200000',
  "CREATE TABLE thing (name text); SELECT pg_sleep(0.05); INSERT INTO thing VALUES ('made once')",
);
const SPOIL_THING = sqlMigration('SpoilThing1795165200001', "INSERT INTO thing VALUES ('spoilt'); SELECT 1 / 0");
/** Records the statement timeout in force. */
const MEASURE_THING = sqlMigration(
  'MeasureThing1795165200002',
  "CREATE TABLE patience AS SELECT current_setting('statement_timeout')::interval AS statement_timeout",
);
/** Takes an exclusive lock on the table for a moment. */
const WIDEN_THING = sqlMigration('WidenThing1795165200003', 'ALTER TABLE thing ADD COLUMN size integer');
const INDEX_THING = indexMigration('IndexThing1795165200004', {
  name: 'thing_by_name',
  definition: 'ON thing (name)',
  unique: true,
});
const SHRINK_THING = sqlMigration('ShrinkThing1795165200005', 'ALTER TABLE thing DROP COLUMN size');

const THINGS = statement('thing_list', 'SELECT name FROM thing');

describe('migrate', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase(CONTEXT, []);
  });

  afterAll(() => test.close());

  it('runs each migration once, however many processes try at the same time', async () => {
    const contenders = Array.from({ length: 4 }, () => migrate(test.url, CONTEXT, [CREATE_THING]));
    const ran = (await Promise.all(contenders)).flatMap((report) => report.ran);
    expect(ran).toEqual(['CreateThing1795165200000']);
    expect(await test.database.query(THINGS)).toEqual([{ name: 'made once' }]);
  });

  it('allows a migration more time than a request', async () => {
    await migrate(test.url, CONTEXT, [CREATE_THING, MEASURE_THING]);
    const isPatient = statement('', "SELECT statement_timeout > interval '10 minutes' AS is_patient FROM patience");
    expect(await test.database.findOne(isPatient)).toEqual({ is_patient: true });
  });

  it('rolls a failed migration back, and keeps those before it', async () => {
    const failing = migrate(test.url, CONTEXT, [CREATE_THING, SPOIL_THING]);
    await expect(failing).rejects.toThrow('division by zero');
    expect(await test.database.query(THINGS)).toEqual([{ name: 'made once' }]);
  });

  /** A transaction that keeps a read lock on the table until it is released. */
  async function holdThing(): Promise<Client> {
    const reader = new Client({ connectionString: test.url });
    await reader.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT FROM thing');
    return reader;
  }

  const BATCH_SPAN = statement(
    '',
    `SELECT FROM pg_locks WHERE relation = 'thing'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted`,
  );

  it('lets queued statements pass instead of blocking them, and continues once it gets the lock', async () => {
    const reader = await holdThing();
    const migrating = migrate(test.url, CONTEXT, [CREATE_THING, WIDEN_THING]);
    await waitFor(async () => (await test.database.execute(BATCH_SPAN)) > 0);
    // Queued behind the migration, which gives up its place before the reader commits.
    expect(await test.database.query(THINGS)).toEqual([{ name: 'made once' }]);
    await reader.query('COMMIT');
    await reader.end();
    expect(await migrating).toEqual({ ran: ['WidenThing1795165200003'], left: [] });
  });

  it('leaves an index to another run if asked to, with everything after it, and builds it in an empty schema', async () => {
    const all = [CREATE_THING, WIDEN_THING, INDEX_THING, SHRINK_THING];
    const left = ['IndexThing1795165200004', 'ShrinkThing1795165200005'];
    expect(await migrate(test.url, CONTEXT, all, { leaveLongSteps: true })).toEqual({ ran: [], left });
    const empty = await createTestDatabase(CONTEXT, []);
    const whole = await migrate(empty.url, CONTEXT, all, { leaveLongSteps: true });
    await empty.close();
    expect(whole).toEqual({ ran: all.map(({ name }) => name), left: [] });
  });

  it('builds an index beside older transactions, replaces an invalid one, and works while other processes wait to migrate', async () => {
    const reader = await holdThing();
    await test.database.transaction(async (it) => {
      await it.execute(statement('', 'CREATE INDEX thing_by_name ON thing (name)'));
    });
    const contenders = Array.from({ length: 3 }, () => migrate(test.url, CONTEXT, [CREATE_THING, INDEX_THING]));
    await reader.query('COMMIT');
    await reader.end();
    expect((await Promise.all(contenders)).flatMap(({ ran }) => ran)).toEqual(['IndexThing1795165200004']);
    const isUnique = statement(
      '',
      `SELECT indisvalid AND indisunique AS is_built FROM pg_index WHERE indexrelid = 'thing_by_name'::regclass`,
    );
    expect(await test.database.findOne(isUnique)).toEqual({ is_built: true });
  });
});
