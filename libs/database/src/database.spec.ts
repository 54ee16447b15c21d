import { deadlineIn, runInCall } from '@kinora/bus';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import type { Queryable } from './database';
import { violatedConstraint } from './database-error';
import { sqlMigration } from './migrations.fixtures';
import { statement } from './statement';

const CREATE_WALLET = sqlMigration(
  'CreateWallet1795165200000',
  'CREATE TABLE wallet (id text PRIMARY KEY, micros bigint NOT NULL CHECK (micros >= 0))',
);
const INSERT = statement('wallet_insert', 'INSERT INTO wallet (id, micros) VALUES ($1, $2)');
const FIND = statement('wallet_find', 'SELECT micros FROM wallet WHERE id = $1');
const ADD = statement('wallet_add', 'UPDATE wallet SET micros = micros + $2 WHERE id = $1');

describe('database', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase('database-spec', [CREATE_WALLET]);
  });

  afterAll(() => test.close());

  const microsOf = async (id: string): Promise<number | undefined> =>
    (await test.database.findOne<{ micros: number }>(FIND, [id]))?.micros;

  describe('statement', () => {
    it('returns rows, the first row or null, and the number of affected rows', async () => {
      expect(await test.database.execute(INSERT, ['acct_rows', 7])).toBe(1);
      expect(await test.database.query(FIND, ['acct_rows'])).toEqual([{ micros: 7 }]);
      expect(await test.database.findOne(FIND, ['acct_rows'])).toEqual({ micros: 7 });
      expect(await test.database.findOne(FIND, ['acct_unknown'])).toBeNull();
      expect(await test.database.execute(ADD, ['acct_unknown', 1])).toBe(0);
    });

    it('is prepared once per connection, under its name', async () => {
      const prepared = statement(
        'prepared_find',
        "SELECT statement FROM pg_prepared_statements WHERE name = 'wallet_find'",
      );
      const found = await test.database.transaction(async (transaction) => {
        await transaction.findOne(FIND, ['acct_rows']);
        await transaction.findOne(FIND, ['acct_unknown']);
        return transaction.query(prepared);
      });
      expect(found).toEqual([{ statement: FIND.text }]);
    });

    it('is planned with the index while its table is nearly empty, since the plan is kept', async () => {
      const plan = statement('wallet_explain', "EXPLAIN DELETE FROM wallet WHERE id = ANY ('{acct_rows}'::text[])");
      expect(JSON.stringify(await test.database.query(plan))).toContain('Index Scan using wallet_pkey');
    });

    it('names the constraint that a row violates', async () => {
      await test.database.execute(INSERT, ['acct_poor', 5]);
      const error: unknown = await test.database.execute(ADD, ['acct_poor', -6]).catch((broken: unknown) => broken);
      expect(violatedConstraint(error)).toBe('wallet_micros_check');
      expect(violatedConstraint(new Error('of another kind'))).toBeNull();
    });
  });

  describe('bigint', () => {
    it('is a number, also in arithmetic', async () => {
      await test.database.execute(INSERT, ['acct_rich', Number.MAX_SAFE_INTEGER]);
      expect(await microsOf('acct_rich')).toBe(Number.MAX_SAFE_INTEGER);
      const count = statement('wallet_count', "SELECT count(*) + 1 AS next FROM wallet WHERE id = 'acct_rich'");
      expect(await test.database.findOne(count)).toEqual({ next: 2 });
    });

    it('is refused if a number would round it', async () => {
      const large = statement('large_select', 'SELECT 9007199254740993::bigint AS micros');
      await expect(test.database.query(large)).rejects.toThrow(RangeError);
      expect(await test.database.findOne(FIND, ['acct_unknown'])).toBeNull();
    });
  });

  describe('transaction', () => {
    it('commits all of its statements or none, and throws what its work threw', async () => {
      const failure = new ApiError('insufficient_balance', 'The balance does not cover this.');
      const insertTwo = (fails: boolean) =>
        test.database.transaction(async (transaction) => {
          await transaction.execute(INSERT, [`acct_a_${fails}`, 1]);
          await transaction.execute(INSERT, [`acct_b_${fails}`, 2]);
          if (fails) throw failure;
          return 'done';
        });
      await expect(insertTwo(true)).rejects.toBe(failure);
      expect(await insertTwo(false)).toBe('done');
      expect([await microsOf('acct_a_true'), await microsOf('acct_b_true')]).toEqual([undefined, undefined]);
      expect([await microsOf('acct_a_false'), await microsOf('acct_b_false')]).toEqual([1, 2]);
    });

    it('does not count as committed when the error of a statement was swallowed', async () => {
      const swallow = test.database.transaction(async (transaction) => {
        await transaction.execute(INSERT, ['acct_swallowed', 1]);
        await transaction.execute(ADD, ['acct_swallowed', -2]).catch(() => undefined);
      });
      await expect(swallow).rejects.toThrow('rolled back');
      expect(await microsOf('acct_swallowed')).toBeUndefined();
    });

    it('runs again when PostgreSQL ended it to break a deadlock', async () => {
      await test.database.execute(INSERT, ['acct_left', 0]);
      await test.database.execute(INSERT, ['acct_right', 0]);
      let runs = 0;
      let bothHoldOne: () => void = () => undefined;
      const met = new Promise<void>((resolve) => (bothHoldOne = resolve));
      const inOrder = (first: string, second: string) => async (transaction: Queryable) => {
        runs += 1;
        await transaction.execute(ADD, [first, 1]);
        if (runs === 2) bothHoldOne();
        await met;
        await transaction.execute(ADD, [second, 1]);
      };
      await Promise.all([
        test.database.transaction(inOrder('acct_left', 'acct_right')),
        test.database.transaction(inOrder('acct_right', 'acct_left')),
      ]);
      // The transaction that runs again may lock the row that the other one waits for, and both can deadlock once more.
      expect(runs).toBeGreaterThan(2);
      expect([await microsOf('acct_left'), await microsOf('acct_right')]).toEqual([2, 2]);
    });
  });

  it('runs a statement again after a serialization failure', async () => {
    await test.database.execute(statement('', 'CREATE SEQUENCE tries'));
    // A rollback does not reset a sequence, so it counts the attempts.
    const failOnce = statement('', `SELECT CASE nextval('tries') WHEN 1 THEN fail_to_serialize() END`);
    await test.database.execute(
      statement(
        '',
        `CREATE FUNCTION fail_to_serialize() RETURNS void LANGUAGE plpgsql
         AS $$ BEGIN RAISE EXCEPTION 'not in a serial order' USING ERRCODE = '40001'; END $$`,
      ),
    );
    await test.database.query(failOnce);
    const tries = await test.database.findOne<{ last: number }>(statement('', 'SELECT last_value AS last FROM tries'));
    expect(tries).toEqual({ last: 2 });
  });

  describe('background work', () => {
    it('never keeps a request from a connection, however much of it there is', async () => {
      let end: () => void = () => undefined;
      const untilEnd = new Promise<void>((resolve) => (end = resolve));
      const sweep = Array.from({ length: 50 }, () => test.database.transaction(() => untilEnd));
      const call = { requestId: 'req_1', deadlineAtMs: deadlineIn(60_000) };
      expect(await runInCall(call, () => test.database.findOne(FIND, ['acct_unknown']))).toBeNull();
      end();
      await Promise.all(sweep);
    });

    it('waits for one permit, and not again for statements inside its work', async () => {
      const nested = Array.from({ length: 50 }, () =>
        test.database.transaction(() => test.database.findOne(FIND, ['acct_unknown'])),
      );
      expect(await Promise.all(nested)).toEqual(nested.map(() => null));
    });
  });
});
