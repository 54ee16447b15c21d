import { migrationProblems } from './migration-problems';
import { unregistered } from './written-migrations';

const FILE = 'apps/jobs/src/migrations/20270101T0900-widen-thing.ts';

const sourceOf = (header: string): string => `
/**
 * ${header}
 */
export class WidenThing1 implements MigrationInterface {}`;

const WHOLE = 'Why: a thing has a size. Lock: for a moment. Way back: down().';

const problemsOf = (sql: string, header = WHOLE): string[] =>
  migrationProblems({ file: FILE, source: sourceOf(header), statements: [sql] });

describe('a migration', () => {
  class WidenThing1 {
    up = (): Promise<void> => Promise.resolve();
    down = (): Promise<void> => Promise.resolve();
  }

  it('is reported when no list names it, with the list that it belongs to', () => {
    expect(unregistered(FILE, [WidenThing1], [])).toEqual([
      `${FILE}: WidenThing1 never runs: add it to the end of apps/jobs/src/migrations/migrations.ts.`,
    ]);
    expect(unregistered(FILE, [WidenThing1], [WidenThing1])).toEqual([]);
  });
});

describe('migration problems', () => {
  it.each([
    ['CREATE INDEX thing_by_size ON thing (size)', 'cannot be written'],
    ['ALTER TABLE thing ADD COLUMN color text, ADD COLUMN size integer NOT NULL', 'The version before cannot insert'],
    ['ALTER TABLE thing ADD COLUMN seen_at timestamptz DEFAULT clock_timestamp()', 'rewrites the table'],
    ['ALTER TABLE thing ADD COLUMN twice integer GENERATED ALWAYS AS (2 * size) STORED', 'rewrites the table'],
    ['ALTER TABLE thing ADD CONSTRAINT thing_has_size CHECK (size > 0)', 'Every row is checked'],
    ['ALTER TABLE thing ADD CONSTRAINT thing_once UNIQUE (name)', 'built under the lock'],
    ['ALTER TABLE thing ALTER COLUMN size TYPE bigint', 'A new type'],
    ['ALTER TABLE thing RENAME COLUMN size TO bytes', 'reads and writes the old name'],
    ['UPDATE thing SET size = 1', 'All rows are locked'],
    ['DROP TABLE thing', 'still reads it'],
    ['LOCK TABLE thing', 'blocks the whole table'],
  ])('refuse %s', (refused, because) => {
    expect(problemsOf(refused)).toEqual([expect.stringContaining(because)]);
  });

  it.each([
    'CREATE INDEX CONCURRENTLY thing_by_size ON thing (size)',
    'ALTER TABLE thing ADD COLUMN size integer NOT NULL DEFAULT 0',
    'ALTER TABLE thing ADD COLUMN seen_at timestamptz DEFAULT now()',
    'ALTER TABLE thing ADD CONSTRAINT thing_has_size CHECK (size > 0) NOT VALID',
    'ALTER TABLE thing ADD CONSTRAINT thing_once UNIQUE USING INDEX thing_by_name',
    'CREATE TABLE other (size integer); UPDATE other SET size = 1; CREATE INDEX other_size ON other (size)',
    `COMMENT ON TABLE thing IS 'LOCK TABLE thing; DROP TABLE thing'`,
  ])('allow %s', (sql) => {
    expect(problemsOf(sql)).toEqual([]);
  });

  it('may remove a column that no version reads, where the header names the last version that did', () => {
    const sql = 'ALTER TABLE thing DROP COLUMN size; ALTER TABLE thing ALTER COLUMN name SET NOT NULL';
    expect(problemsOf(sql)).toHaveLength(2);
    expect(problemsOf(sql, `${WHOLE} Contracts: 1.4 was the last to read the size.`)).toEqual([]);
  });

  it('report what the header lacks', () => {
    expect(problemsOf('CREATE TABLE thing (name text)', 'Things.')).toEqual([
      `${FILE}: The header does not say "Why: ".`,
      `${FILE}: The header does not say "Lock: ".`,
      `${FILE}: The header does not say "Way back: ".`,
    ]);
  });
});
