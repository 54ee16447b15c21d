import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { BaselineMigration } from './baseline';
import { migrate } from './migrate';
import { sqlMigration } from './migrations.fixtures';
import { statement } from './statement';

const CONTEXT = 'baseline-spec';

const CREATE_THING = sqlMigration('CreateThing1795165200000', 'CREATE TABLE thing (name text)');
const WIDEN_THING = sqlMigration('WidenThing1795165200001', 'ALTER TABLE thing ADD COLUMN size integer');
const COLOR_THING = sqlMigration('ColorThing1795165200003', 'ALTER TABLE thing ADD COLUMN color text');

class Baseline1795165200002 extends BaselineMigration {
  readonly name = 'Baseline1795165200002';
  readonly replaces = 'WidenThing1795165200001';
  protected readonly schema = ['CREATE TABLE thing (name text, size integer)'];
}

const BEFORE = [CREATE_THING, WIDEN_THING];
const AFTER = [Baseline1795165200002, COLOR_THING];
const COLUMNS = statement(
  '',
  `SELECT string_agg(attname, ' ' ORDER BY attnum) AS columns FROM pg_attribute
    WHERE attrelid = to_regclass('thing') AND attnum > 0`,
);
const APPLIED = statement('', 'SELECT "timestamp", name FROM migration ORDER BY id');

describe('a baseline', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createTestDatabase(CONTEXT, []);
  });
  afterEach(() => test.close());

  const columns = async (): Promise<unknown> =>
    (await test.database.findOne<{ columns: string | null }>(COLUMNS))?.columns;
  const applied = async (): Promise<string[]> =>
    (await test.database.query<{ name: string }>(APPLIED)).map(({ name }) => name);

  it('creates the schema where there is none', async () => {
    expect(await migrate(test.url, CONTEXT, AFTER)).toEqual({ ran: AFTER.map(({ name }) => name), left: [] });
    expect(await columns()).toBe('name size color');
  });

  it('is marked, once and without running, on a schema with all migrations that it replaces', async () => {
    await migrate(test.url, CONTEXT, BEFORE);
    const contenders = Array.from({ length: 4 }, () => migrate(test.url, CONTEXT, AFTER));
    expect((await Promise.all(contenders)).flatMap(({ ran }) => ran)).toEqual(['ColorThing1795165200003']);
    // The version before still finds its migrations, so its processes stay ready.
    expect(await applied()).toEqual([...BEFORE, ...AFTER].map(({ name }) => name));
    expect(await test.database.query(APPLIED)).toContainEqual({
      timestamp: 1_795_165_200_002,
      name: 'Baseline1795165200002',
    });
    expect(await columns()).toBe('name size color');
  });

  it('is marked also by the hook of an upgrade, which leaves long steps', async () => {
    await migrate(test.url, CONTEXT, BEFORE);
    const report = await migrate(test.url, CONTEXT, [Baseline1795165200002], { leaveLongSteps: true });
    expect(report).toEqual({ ran: [], left: [] });
    expect(await applied()).toContain('Baseline1795165200002');
  });

  it('refuses an older schema, unchanged, and names the commit that brings it up to date', async () => {
    await migrate(test.url, CONTEXT, [CREATE_THING]);
    await expect(migrate(test.url, CONTEXT, AFTER)).rejects.toThrow(
      /^The schema of baseline-spec is older than .*: start commit [0-9a-f]{8} with it once, and then this version again\.$/,
    );
    expect(await applied()).toEqual(['CreateThing1795165200000']);
    expect(await columns()).toBe('name');
  });

  it('cannot be reverted', async () => {
    await expect(new Baseline1795165200002().down()).rejects.toThrow('has no version before it');
  });
});
