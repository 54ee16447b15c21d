import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrate } from './migrate';
import { statement } from './statement';

/** Would fail if it ran twice, or beside another one. */
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

/** Writes down how long PostgreSQL would let it work. */
class MeasureThing1795165200002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "CREATE TABLE patience AS SELECT current_setting('statement_timeout')::interval AS statement_timeout",
    );
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

  it('runs each migration once, however many try at the same time', async () => {
    const contenders = Array.from({ length: 4 }, () => migrate(test.url, 'migrate-spec', [CreateThing1795165200000]));
    const ran = (await Promise.all(contenders)).flat();
    expect(ran).toEqual(['CreateThing1795165200000']);
    expect(await test.database.query(THINGS)).toEqual([{ name: 'made once' }]);
  });

  it('lets a migration work for longer than anybody waits for a request', async () => {
    await migrate(test.url, 'migrate-spec', [CreateThing1795165200000, MeasureThing1795165200002]);
    const isPatient = statement('', "SELECT statement_timeout > interval '10 minutes' AS is_patient FROM patience");
    expect(await test.database.findOne(isPatient)).toEqual({ is_patient: true });
  });

  it('undoes a migration that fails, and keeps those before it', async () => {
    const failing = migrate(test.url, 'migrate-spec', [CreateThing1795165200000, SpoilThing1795165200001]);
    await expect(failing).rejects.toThrow('division by zero');
    expect(await test.database.query(THINGS)).toEqual([{ name: 'made once' }]);
  });
});
