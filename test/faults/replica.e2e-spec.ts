import { Client, Pool } from 'pg';
import { waitFor } from '@kinora/testing';
import { createDataSource, Database, Replica, statement } from '@kinora/database';
import { ReplicatedPostgres } from '../cluster/postgres/replicated-postgres';

const MAX_LAG_MS = 2_000;
const WHERE = `SELECT pg_is_in_recovery() AS at_standby, (SELECT count(*)::int FROM noted) AS noted FROM noted LIMIT 1`;
const STALE = statement('spec_stale', WHERE, { mayBeStale: true });
const EXACT = statement('spec_exact', WHERE);
const NOTE = statement('spec_note', 'INSERT INTO noted DEFAULT VALUES');

describe('a standby that answers stale reads', () => {
  let postgres: ReplicatedPostgres;
  let standby: Client;
  let database: Database;
  let replica: Replica;
  let close: () => Promise<void>;
  const states: string[] = [];

  beforeAll(async () => {
    postgres = await ReplicatedPostgres.start();
    const [primaryUrl, standbyUrl] = [postgres.primary.url, postgres.standby.url];
    const dataSource = await createDataSource({
      url: primaryUrl,
      name: 'replica-spec',
      poolSize: 4,
    }).initialize();
    database = new Database(dataSource);
    await database.execute(statement('', 'CREATE TABLE noted (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)'));
    await database.execute(NOTE);
    standby = new Client({ connectionString: standbyUrl });
    standby.on('error', () => undefined);
    await standby.connect();
    const primary = new Pool({ connectionString: primaryUrl, max: 1 });
    // The end of a pool does not wait for its connections, which the end of the server may still reach.
    primary.on('error', () => undefined);
    replica = new Replica(primary, {
      pool: { connectionString: standbyUrl, max: 2 },
      maxLagMs: MAX_LAG_MS,
      onStateChange: (state) => states.push(state),
    });
    database.readFrom(replica);
    close = async () => {
      await Promise.all([dataSource.destroy(), primary.end()]);
    };
  });

  afterAll(async () => {
    await replica.close();
    await standby.end().catch(() => undefined);
    await close();
    await postgres.stop();
  });

  const readsStale = () => database.findOne<{ at_standby: boolean; noted: number }>(STALE);
  const becomes = (isAtStandby: boolean) => waitFor(async () => (await readsStale())?.at_standby === isAtStandby);

  it('answers those and no others, while it is close to the primary', async () => {
    await becomes(true);
    expect(await database.findOne(EXACT)).toEqual({ at_standby: false, noted: 1 });
    const inTransaction = await database.transaction((transaction) => transaction.findOne(STALE));
    expect(inTransaction).toEqual({ at_standby: false, noted: 1 });
  });

  it('answers none while it shows less than the primary for longer than allowed', async () => {
    await standby.query('SELECT pg_wal_replay_pause()');
    await database.execute(NOTE);
    await becomes(false);
    expect(await readsStale()).toEqual({ at_standby: false, noted: 2 });
    await standby.query('SELECT pg_wal_replay_resume()');
    await becomes(true);
    expect(await readsStale()).toEqual({ at_standby: true, noted: 2 });
    expect(states).toEqual(['close', 'behind', 'close']);
  });

  it('fails no statement when it ends', async () => {
    await becomes(true);
    const reads = Promise.all(Array.from({ length: 50 }, readsStale));
    await postgres.standby.stop();
    expect((await reads).map((row) => row?.noted)).toEqual(Array.from({ length: 50 }, () => 2));
    expect(await readsStale()).toEqual({ at_standby: false, noted: 2 });
    expect(states.at(-1)).toBe('failed');
  });
});
