import { type TestDatabase, createTestDatabase, waitFor } from '@kinora/testing';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';
import { migrate } from './migrate';
import { statement } from './statement';

/** Would fail if it ran twice, or in parallel with another run. */
class CreateThing1795165200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE thing (name text)');
    await runner.query("SELECT pg_sleep(0.05); INSERT INTO thing VALUES ('made once')");
  }

  async down(): Promise<void> {}
}

class SpoilThing1795165200001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("INSERT INTO thing VALUES ('spoilt')");
    await runner.query('SELECT 1 / 0');
  }

  async down(): Promise<void> {}
}

/** Records the statement timeout in force. */
class MeasureThing1795165200002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "CREATE TABLE patience AS SELECT current_setting('statement_timeout')::interval AS statement_timeout",
    );
  }

  async down(): Promise<void> {}
}

/** Takes an exclusive lock on the table for a moment. */
class WidenThing1795165200003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE thing ADD COLUMN size integer');
  }

  async down(): Promise<void> {}
}

class IndexThing1795165200004 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, { name: 'thing_by_name', definition: 'ON thing (name)', unique: true });
  }

  async down(): Promise<void> {}
}

class ShrinkThing1795165200005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE thing DROP COLUMN size');
  }

  async down(): Promise<void> {}
}

const THINGS = statement('thing_list', 'SELECT name FROM thing');

describe('migrate', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase('migrate-spec', []);
  });

  afterAll(() => test.close());

  it('runs each migration once, however many processes try at the same time', async () => {
    const contenders = Array.from({ length: 4 }, () => migrate(test.url, 'migrate-spec', [CreateThing1795165200000]));
    const ran = (await Promise.all(contenders)).flatMap((report) => report.ran);
    expect(ran).toEqual(['CreateThing1795165200000']);
    expect(await test.database.query(THINGS)).toEqual([{ name: 'made once' }]);
  });

  it('allows a migration more time than a request', async () => {
    await migrate(test.url, 'migrate-spec', [CreateThing1795165200000, MeasureThing1795165200002]);
    const isPatient = statement('', "SELECT statement_timeout > interval '10 minutes' AS is_patient FROM patience");
    expect(await test.database.findOne(isPatient)).toEqual({ is_patient: true });
  });

  it('rolls a failed migration back, and keeps those before it', async () => {
    const failing = migrate(test.url, 'migrate-spec', [CreateThing1795165200000, SpoilThing1795165200001]);
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
    const migrating = migrate(test.url, 'migrate-spec', [CreateThing1795165200000, WidenThing1795165200003]);
    await waitFor(async () => (await test.database.execute(BATCH_SPAN)) > 0);
    // Queued behind the migration, which gives up its place before the reader commits.
    expect(await test.database.query(THINGS)).toEqual([{ name: 'made once' }]);
    await reader.query('COMMIT');
    await reader.end();
    expect(await migrating).toEqual({ ran: ['WidenThing1795165200003'], left: [] });
  });

  it('leaves an index to another run if asked to, with everything after it, and builds it in an empty schema', async () => {
    const all = [CreateThing1795165200000, WidenThing1795165200003, IndexThing1795165200004, ShrinkThing1795165200005];
    const left = ['IndexThing1795165200004', 'ShrinkThing1795165200005'];
    expect(await migrate(test.url, 'migrate-spec', all, { leaveLongSteps: true })).toEqual({ ran: [], left });
    const empty = await createTestDatabase('migrate-spec', []);
    const whole = await migrate(empty.url, 'migrate-spec', all, { leaveLongSteps: true });
    await empty.close();
    expect(whole).toEqual({ ran: all.map(({ name }) => name), left: [] });
  });

  it('builds an index beside older transactions, replaces an invalid one, and works while other processes wait to migrate', async () => {
    const reader = await holdThing();
    await test.database.transaction(async (it) => {
      await it.execute(statement('', 'CREATE INDEX thing_by_name ON thing (name)'));
    });
    const contenders = Array.from({ length: 3 }, () =>
      migrate(test.url, 'migrate-spec', [CreateThing1795165200000, IndexThing1795165200004]),
    );
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
