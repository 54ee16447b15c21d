import { type TestDatabase, createTestDatabase, waitFor } from '@kinora/testing';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Queryable } from './database';
import { violatedConstraint } from './database-error';
import { sqlMigration } from './migrations.fixtures';
import { MAY_BE_STALE, labelOf, statement } from './statement';

const CREATE_SWITCH = sqlMigration(
  'CreateSwitch1795165200000',
  'CREATE TABLE switch (id text PRIMARY KEY, position bigint NOT NULL)',
);

@Entity('switch')
class SwitchEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('bigint')
  position!: number;
}

const COUNT = statement('switch_count', 'SELECT count(*) AS count FROM switch WHERE id = $1');
const HANG = 'SELECT pg_sleep(60)';

describe('the repository of an entity', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase('typeorm-runner-spec', [CREATE_SWITCH], [SwitchEntity]);
  });
  afterAll(() => test.close());

  const countOf = async (on: Queryable, id: string) => (await on.findOne<{ count: number }>(COUNT, [id]))?.count;

  it('reads and writes outside a transaction, with numbers as numbers', async () => {
    const switches = test.database.repository(SwitchEntity);
    await switches.insert({ id: 'alone', position: 9_007_199_254_740_991 });
    expect(await switches.findOneBy({ id: 'alone' })).toEqual({ id: 'alone', position: 9_007_199_254_740_991 });
    expect((await switches.update({ id: 'alone', position: 2 }, { position: 3 })).affected).toBe(0);
    expect((await switches.delete({ id: 'alone' })).affected).toBe(1);
  });

  it('reads a replica where its comment says that the answer may be stale', async () => {
    const run = jest.spyOn(test.database, 'run');
    for (const comment of ['switch_list', `switch_list${MAY_BE_STALE}`])
      await test.database.repository(SwitchEntity).find({ comment });
    const read = run.mock.calls.map(([requested]) => [labelOf(requested), requested.mayBeStale]);
    expect(read).toEqual([
      ['switch_list', false],
      ['switch_list', true],
    ]);
  });

  it('takes part in the transaction that it belongs to, and in its commit or rollback', async () => {
    const undone = test.database.transaction(async (transaction) => {
      await transaction.repository(SwitchEntity).save({ id: 'undone', position: 1 });
      expect(await countOf(transaction, 'undone')).toBe(1);
      expect(await countOf(test.database, 'undone')).toBe(0);
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await countOf(test.database, 'undone')).toBe(0);
  });

  it('refuses to begin a transaction of its own, which would be spread over the connections of the pool', async () => {
    const saved = test.database.repository(SwitchEntity).save({ id: 'saved', position: 1 });
    await expect(saved).rejects.toThrow('Database.transaction');
    expect(await countOf(test.database, 'saved')).toBe(0);
  });

  it('throws the same errors as a hand-written statement', async () => {
    const switches = test.database.repository(SwitchEntity);
    await switches.insert({ id: 'twice', position: 1 });
    const error: unknown = await switches.insert({ id: 'twice', position: 1 }).catch((reason: unknown) => reason);
    expect(violatedConstraint(error)).toBe('switch_pkey');
  });

  it('is 503 if the database closes its connection', async () => {
    const lost = test.database.repository(SwitchEntity).query(HANG);
    lost.catch(() => undefined);
    const killed = statement('', `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = '${HANG}'`);
    await waitFor(async () => (await test.database.execute(killed)) > 0);
    await expect(lost).rejects.toMatchObject({ code: 'capacity' });
  });
});
