import { migrate, statement } from '@kinora/database';
import { createTestDatabase, numberedIdSql, type TestDatabase, undoMigrations } from '@kinora/testing';
import { NIL, v7 as uuidv7 } from 'uuid';
import { migrations } from '../src/migrations/migrations';
import { ReservationRepository } from '../src/wallet/reservation.repository';
import { WalletRepository } from '../src/wallet/wallet.repository';

const ENTRIES = Number(process.env.KINORA_PARTITIONED_ENTRIES ?? 20_000);
const BEFORE = migrations.findIndex(({ name }) => name.startsWith('BoundFirst'));
/** One statement inserts so many within its time limit. */
const ENTRIES_AT_ONCE = 20_000;
const FILL = [
  `INSERT INTO account (id, name, rate_limit_rpm, retention_days) VALUES ('${NIL}', 'name', 1, 7)`,
  `INSERT INTO wallet (account_id, available_micros, max_concurrent_jobs) VALUES ('${NIL}', 1000000000, 1000000)`,
  'GRANT SELECT ON ledger_entry TO public',
];
const fillEntries = (from: number): string => `
   INSERT INTO ledger_entry (account_id, kind, debit, credit, amount_micros, job_id, reference)
   SELECT '${NIL}', kind, debit, credit, 1, CASE kind WHEN 'reserve' THEN ${numberedIdSql('n')} END, CASE kind WHEN 'top_up' THEN n::text END
     FROM generate_series(${from}, ${from + ENTRIES_AT_ONCE - 1}) AS n,
          LATERAL (VALUES (0, 'top_up', 'top_ups', 'available'), (1, 'reserve', 'available', 'held')) AS move (odd, kind, debit, credit)
    WHERE n % 2 = odd`;
const COUNT = statement('spec_count', 'SELECT count(*)::integer AS entries FROM ledger_entry');
const COUNT_REFERENCES = statement(
  'spec_count_references',
  'SELECT count(*)::integer AS entries FROM ledger_reference',
);
/** Indexes, the guard, and rights. PostgreSQL prints a copied condition with fewer parentheses. */
const DESCRIBE = statement(
  'spec_describe',
  `SELECT pg_get_indexdef(indexrelid) AS part FROM pg_index WHERE indrelid = 'ledger_entry'::regclass
    UNION ALL SELECT tgenabled::text || pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = 'ledger_entry'::regclass AND NOT tgisinternal
    UNION ALL SELECT unnest(relacl)::text FROM pg_class WHERE oid = 'ledger_entry'::regclass
    UNION ALL SELECT attidentity::text FROM pg_attribute WHERE attrelid = 'ledger_entry'::regclass AND attname = 'id'`,
);

describe('the ledger of an earlier release', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase('billing', migrations.slice(0, BEFORE));
    for (const fill of FILL) await test.database.execute(statement('', fill));
    for (let from = 1; from <= ENTRIES; from += ENTRIES_AT_ONCE)
      await test.database.execute(statement('', fillEntries(from)));
  }, 600_000);
  afterAll(() => test.close());

  const describeParts = async (): Promise<string[]> => {
    const rows = await test.database.query<{ part: string }>(DESCRIBE);
    return rows.map(({ part }) => part.replaceAll(/[()]/g, '')).sort();
  };

  /** Adds money, reserves and captures, one after the other, and measures each. */
  function startWriter() {
    const [jobs, wallets] = [new ReservationRepository(test.database), new WalletRepository()];
    const latenciesMs: number[] = [];
    let isStopped = false;
    const measured = async (work: () => Promise<unknown>): Promise<void> => {
      const begunMs = performance.now();
      await work();
      latenciesMs.push(performance.now() - begunMs);
    };
    const write = async (): Promise<void> => {
      while (!isStopped) {
        const job_id = uuidv7();
        const change = { kind: 'top_up', account_id: NIL, amount_micros: 1, reason: null, reference: job_id } as const;
        await measured(() => wallets.changeBalance(test.database, change));
        await measured(() => jobs.reserve({ account_id: NIL, job_id, amount_micros: 1 }));
        await measured(() => jobs.capture(job_id));
      }
    };
    const written = write();
    return async (): Promise<number[]> => {
      isStopped = true;
      await written;
      return latenciesMs;
    };
  }

  it('becomes the first partition while money moves, in runs that end after each step, and is the whole table on the way back', async () => {
    const before = await describeParts();
    const stop = startWriter();
    for (let step = BEFORE + 1; step <= migrations.length; step++)
      expect((await migrate(test.url, 'billing', migrations.slice(0, step))).ran).toHaveLength(1);
    const latenciesMs = await stop();
    expect(latenciesMs.length).toBeGreaterThan(0);
    expect(Math.max(...latenciesMs)).toBeLessThan(1_000);
    const all = { entries: ENTRIES + latenciesMs.length };
    expect(await test.database.findOne(COUNT)).toEqual(all);
    expect(await test.database.findOne(COUNT_REFERENCES)).toEqual({ entries: ENTRIES / 2 + latenciesMs.length / 3 });

    await undoMigrations(test.url, { migrations, count: migrations.length - BEFORE });
    expect(await test.database.findOne(COUNT)).toEqual(all);
    expect(await describeParts()).toEqual(before);
    expect((await migrate(test.url, 'billing', migrations)).ran).toHaveLength(migrations.length - BEFORE);
    expect(await test.database.findOne(COUNT)).toEqual(all);
  }, 600_000);
});
