import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { TYPESCRIPT_ARGUMENTS, type TestDatabase, createTestDatabase, waitFor } from '@kinora/testing';
import { Client } from 'pg';
import { CONTEXT, migrations } from './build-index.fixtures';
import { migrate } from './migrate';
import { indexMigration, sqlMigration } from './migrations.fixtures';
import { statement } from './statement';

const PROGRAM = path.join(__dirname, 'build-index.fixtures.ts');
const [CREATE_ONLY] = migrations.map((migration) => [migration]);
const INDEX =
  "SELECT indexrelid::int AS id, indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('thing_by_number')";
const BUILD = 'SELECT pid FROM pg_stat_progress_create_index WHERE datname = current_database()';

describe('the build of an index', () => {
  let test: TestDatabase;
  /** Holds a snapshot, so that a build in progress waits for it. */
  let reader: Client;
  let observer: Client;

  beforeEach(async () => {
    test = await createTestDatabase(CONTEXT, CREATE_ONLY ?? []);
    [reader, observer] = [new Client({ connectionString: test.url }), new Client({ connectionString: test.url })];
    await Promise.all([reader.connect(), observer.connect()]);
    // A busy machine may need longer than the limit of the role to start the process that builds.
    await reader.query('SET idle_in_transaction_session_timeout = 0');
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await reader.query('SELECT FROM thing');
  });

  afterEach(async () => {
    await Promise.all([reader.end(), observer.end()]);
    await test.close();
  });

  /** Runs the migrations in a process of their own, until the server builds the index. */
  async function untilBuilding(): Promise<{ child: ChildProcess; builder: number }> {
    const child = spawn(process.execPath, [...TYPESCRIPT_ARGUMENTS, PROGRAM, test.url], { stdio: 'inherit' });
    const builder = await waitFor(async () => (await observer.query<{ pid: number }>(BUILD)).rows[0]?.pid ?? null);
    return { child, builder };
  }

  async function kill(child: ChildProcess): Promise<void> {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  const findIndex = async (): Promise<{ id: number; valid: boolean } | undefined> =>
    (await observer.query<{ id: number; valid: boolean }>(INDEX)).rows[0];

  /** Whether another process has asked for the build. */
  const isPolled = async (): Promise<boolean> => {
    const { rows } = await observer.query<{ polls: boolean }>(
      `SELECT count(*) > 0 AS polls FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '%pg_stat_progress_create_index%to_regclass%' AND pid <> pg_backend_pid()`,
    );
    return rows[0]?.polls === true;
  };

  it('goes on at the server when the process is killed, and the next run waits for it instead of starting over', async () => {
    const { child, builder } = await untilBuilding();
    const begun = await waitFor(findIndex);
    await kill(child);
    const resumed = migrate(test.url, CONTEXT, migrations);
    await waitFor(isPolled);
    expect((await observer.query<{ pid: number }>(BUILD)).rows).toEqual([{ pid: builder }]);
    await reader.query('COMMIT');
    expect(await resumed).toEqual({ ran: ['IndexThing1795165200001'], left: [] });
    expect(await findIndex()).toEqual({ id: begun.id, valid: true });
  });

  it('is repeated if it died with its server process, and the invalid index is repaired', async () => {
    const { child, builder } = await untilBuilding();
    const begun = await waitFor(findIndex);
    await kill(child);
    await observer.query('SELECT pg_terminate_backend($1, 5000)', [builder]);
    expect(await findIndex()).toEqual({ id: begun.id, valid: false });
    await reader.query('COMMIT');
    expect(await migrate(test.url, CONTEXT, migrations)).toEqual({ ran: ['IndexThing1795165200001'], left: [] });
    const repaired = await findIndex();
    expect(repaired?.valid).toBe(true);
    expect(repaired?.id).not.toBe(begun.id);
  });

  it('is not repeated where it has ended without its migration being recorded', async () => {
    const { child } = await untilBuilding();
    const begun = await waitFor(findIndex);
    await kill(child);
    await reader.query('COMMIT');
    await waitFor(async () => (await findIndex())?.valid);
    await migrate(test.url, CONTEXT, migrations);
    expect(await findIndex()).toEqual({ id: begun.id, valid: true });
  });
});

describe('the build of an index of a partitioned table', () => {
  const name = 'part_by_number';
  const [create, index] = [
    sqlMigration(
      'CreateParts1795165200000',
      `CREATE TABLE part (number integer) PARTITION BY RANGE (number);
       CREATE TABLE part_a PARTITION OF part FOR VALUES FROM (0) TO (10);
       CREATE TABLE part_b PARTITION OF part FOR VALUES FROM (10) TO (20)`,
    ),
    indexMigration('IndexParts1795165200001', { name, definition: 'ON part (number)' }),
  ];
  const LIST_INDEXES = statement(
    'spec_list_indexes',
    `SELECT indrelid::regclass::text AS of_table, indexrelid::regclass::text AS name, indisvalid AS is_valid FROM pg_index
      WHERE indrelid::regclass::text LIKE 'part%' ORDER BY 1`,
  );
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase('build-parts-spec', [create]);
  });
  afterEach(() => test.close());

  const execute = (sql: string): Promise<number> => test.database.execute(statement('', sql));
  const build = async (): Promise<unknown[]> => {
    await migrate(test.url, 'build-parts-spec', [create, index]);
    return test.database.query(LIST_INDEXES);
  };
  const built = ['part', 'part_a', 'part_b'].map((of_table) => {
    return { of_table, name: `${of_table}_by_number`, is_valid: true };
  });

  it('builds one for each partition, and the next partition has its own', async () => {
    expect(await build()).toEqual(built);
    await execute('CREATE TABLE part_c PARTITION OF part FOR VALUES FROM (20) TO (30)');
    const [, , , added] = await test.database.query(LIST_INDEXES);
    expect(added).toMatchObject({ of_table: 'part_c', is_valid: true });
  });

  it('goes on with the partitions that an interrupted one has left, and builds an invalid part again', async () => {
    await execute(`CREATE INDEX ${name} ON ONLY part (number)`);
    await execute('CREATE INDEX part_a_by_number ON part_a (number)');
    await execute(`ALTER INDEX ${name} ATTACH PARTITION part_a_by_number`);
    await execute('INSERT INTO part VALUES (11), (11)');
    await execute('CREATE UNIQUE INDEX CONCURRENTLY part_b_by_number ON part_b (number)').catch(() => undefined);
    expect(await test.database.query(LIST_INDEXES)).toContainEqual({ ...built[2], is_valid: false });
    expect(await build()).toEqual(built);
  });
});
