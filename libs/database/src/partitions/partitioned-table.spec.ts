import { type TestDatabase, createTestDatabase, createTestLog } from '@kinora/testing';
import { Client } from 'pg';
import type { GaugeSampler, Sample } from '../gauge-sampler';
import { sqlMigration } from '../migrations.fixtures';
import { statement } from '../statement';
import { firstIdOf } from '../month';
import { PartitionedTable } from './partitioned-table';

const FIRST_END = new Date('2026-03-01T00:00:00Z');
const CREATE = sqlMigration(
  'CreateNotes1795939200000',
  `CREATE TABLE note (id uuid PRIMARY KEY, text text NOT NULL CHECK (text <> '')) PARTITION BY RANGE (id);
   CREATE TABLE note_first PARTITION OF note FOR VALUES FROM (MINVALUE) TO ('${firstIdOf(FIRST_END)}')
     WITH (autovacuum_analyze_scale_factor = 0.02);
   CREATE INDEX note_by_text ON note (text);
   CREATE TABLE partition_lease (table_name text PRIMARY KEY, begun_at timestamptz NOT NULL)`,
);
const INSERT = statement('spec_insert', `INSERT INTO note (id, text) VALUES ($1, 'text')`);
const COUNT = statement('spec_count', 'SELECT count(*) AS notes FROM note');
const LIST_TABLES = statement(
  'spec_tables',
  `SELECT relname AS name, reloptions::text AS storage, (SELECT count(*)::integer FROM pg_index WHERE indrelid = pg_class.oid) AS indexes
     FROM pg_class WHERE relname LIKE 'note\\_%' AND relkind = 'r' ORDER BY relname`,
);

describe('a partitioned table', () => {
  let test: TestDatabase;
  let samples: Sample[];

  beforeEach(async () => {
    test = await createTestDatabase('partitions-spec', [CREATE]);
    samples = [];
  });
  afterEach(() => test.close());

  const tableOf = (retentionDays = 0): PartitionedTable =>
    new PartitionedTable(
      { name: 'note', setting: 'KINORA_NOTE_RETENTION_DAYS', retentionDays, stays: 'nothing' },
      {
        database: test.database,
        sampler: { add: (sample: Sample) => void samples.push(sample) } as GaugeSampler,
        logger: createTestLog().logger,
      },
    );
  const tables = async (): Promise<string[]> =>
    (await test.database.query<{ name: string }>(LIST_TABLES)).map(({ name }) => name);
  const insertAt = (time: string) => test.database.execute(INSERT, [firstIdOf(new Date(time))]);

  it('has a partition for each month up to three months ahead, with the indexes and the storage of the one before', async () => {
    await tableOf().maintain(new Date('2026-02-27T00:00:00Z'));
    expect(await test.database.query(LIST_TABLES)).toEqual(
      ['note_202603', 'note_202604', 'note_202605', 'note_first'].map((name) => ({
        name,
        storage: '{autovacuum_analyze_scale_factor=0.02}',
        indexes: 2,
      })),
    );
  });

  it('takes a row of a month without a partition, also in a transaction', async () => {
    tableOf();
    jest.useFakeTimers({
      now: new Date('2027-01-15T00:00:00Z'),
      doNotFake: ['nextTick', 'setImmediate', 'setTimeout'],
    });
    try {
      await insertAt('2027-01-15T00:00:00Z');
      await test.database.transaction((transaction) =>
        transaction.execute(INSERT, [firstIdOf(new Date('2027-01-16T00:00:00Z'))]),
      );
    } finally {
      jest.useRealTimers();
    }
    expect((await tables()).slice(-3)).toEqual(['note_202703', 'note_202704', 'note_first']);
    expect(await test.database.findOne(COUNT)).toEqual({ notes: 2 });
  });

  it('still refuses a row that violates a check', async () => {
    tableOf();
    await expect(
      test.database.execute(statement('', `INSERT INTO note VALUES ('${firstIdOf(new Date(0))}', '')`)),
    ).rejects.toThrow('note_text_check');
  });

  it.each([
    { retentionDays: 0, now: '2027-01-01', kept: 3 },
    { retentionDays: 60, now: '2026-04-29', kept: 3 },
    { retentionDays: 60, now: '2026-04-30', kept: 2 },
    { retentionDays: 60, now: '2026-06-01', kept: 1 },
  ])(
    'with a retention of $retentionDays days keeps $kept of three months on $now',
    async ({ retentionDays, now, kept }) => {
      await tableOf().maintain(new Date('2026-03-01T00:00:00Z'));
      for (const month of ['01', '03', '04']) await insertAt(`2026-${month}-01T00:00:00Z`);
      await tableOf(retentionDays).maintain(new Date(`${now}T00:00:00Z`));
      expect(await test.database.findOne(COUNT)).toEqual({ notes: kept });
      expect((await tables()).includes('note_first')).toBe(kept === 3);
    },
  );

  it('says when its months are dropped', async () => {
    const { parts, ...plan } = await tableOf(60).plan();
    expect(plan).toEqual({
      ...{ table: 'note', setting: 'KINORA_NOTE_RETENTION_DAYS', retention_days: 60, stays: 'nothing' },
    });
    expect(parts).toEqual([
      {
        ...{ name: 'note_first', from: null, until: '2026-03-01T00:00:00.000Z', rows: 0, bytes: expect.any(Number) },
        drops_at: '2026-04-30T00:00:00.000Z',
      },
    ]);
    expect((await tableOf().plan()).parts[0]?.drops_at).toBeNull();
  });

  it('finishes a drop that was interrupted while it waited for a reader', async () => {
    const reader = new Client({ connectionString: test.url });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM note');
    const interrupted = new Client({ connectionString: test.url, statement_timeout: 300 });
    await interrupted.connect();
    await interrupted.query(`COMMENT ON TABLE note_first IS 'expired partition of note'`);
    await tableOf().maintain(new Date('2026-03-01T00:00:00Z'));
    await expect(interrupted.query('ALTER TABLE note DETACH PARTITION note_first CONCURRENTLY')).rejects.toThrow(
      'timeout',
    );
    await reader.query('COMMIT');
    await tableOf().maintain(new Date('2026-03-01T00:00:00Z'));
    expect(await tables()).not.toContain('note_first');
    await Promise.all([reader.end(), interrupted.end()]);
  });

  it('is maintained by one replica', async () => {
    const replicas = [tableOf(), tableOf()];
    const maintain = replicas.map((replica) => jest.spyOn(replica, 'maintain').mockResolvedValue());
    await Promise.all(replicas.map((replica) => replica.prunePage()));
    expect(maintain.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1);
  });

  it('shows how many days are left', async () => {
    tableOf();
    const [reading] = (await samples[0]?.read()) ?? [];
    expect(reading).toMatchObject({ labels: { table: 'note' } });
    expect(reading?.value).toBeCloseTo((FIRST_END.getTime() - Date.now()) / 86_400_000, 2);
  });

  it.each([
    { retentionDays: 0, daysLate: 0 },
    { retentionDays: 10_000, daysLate: 0 },
    { retentionDays: 60, daysLate: (Date.now() - FIRST_END.getTime()) / 86_400_000 - 60 },
  ])('shows that a month is kept $daysLate days beyond $retentionDays', async ({ retentionDays, daysLate }) => {
    tableOf(retentionDays);
    const [, reading] = (await samples[0]?.read()) ?? [];
    expect(reading?.value).toBeCloseTo(daysLate, 2);
  });
});
