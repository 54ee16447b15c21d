import { statement } from '@kinora/database';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { NIL, v7 as uuidv7 } from 'uuid';
import { migrations } from '../src/migrations/migrations';
import { DecisionEntity } from '../src/decision/decision.entity';
import { StrikeEntity } from '../src/strike/strike.entity';
import { StrikeRepository } from '../src/strike/strike.repository';

const DAYS = 30;
const INSERT_DECISION = statement(
  'spec_insert_decision',
  `INSERT INTO decision (id, account_id, job_id, stage, verdict, engine, reason, content_sha256, policy_version, engines,
                         findings, texts)
   VALUES ($1, $2, $3, 'output', 'blocked', 'words', 'reason', '{hash}', 'version', '{}', '[]', 1)`,
);
const AGE = statement('spec_age', `UPDATE strike SET created_at = created_at - interval '31 days' WHERE id = $1`);

describe('standings of accounts with strikes', () => {
  let testDatabase: TestDatabase;
  let strikes: StrikeRepository;

  beforeEach(async () => {
    testDatabase = await createTestDatabase('moderation', migrations, [StrikeEntity, DecisionEntity]);
    strikes = new StrikeRepository(testDatabase.database.repository(StrikeEntity), testDatabase.database);
  });
  afterEach(() => testDatabase.close());

  async function strike(account_id: string, on = testDatabase.database as Parameters<StrikeRepository['record']>[0]) {
    const [decision_id, job_id] = [uuidv7(), uuidv7()];
    await testDatabase.database.execute(INSERT_DECISION, [decision_id, account_id, job_id]);
    return (await strikes.record(on, { account_id, job_id, decision_id })) ?? '';
  }

  it('count the strikes in the window that are not lifted, with the time of the last change', async () => {
    const account_id = uuidv7();
    const [old, lifted] = [await strike(account_id), await strike(account_id)];
    await strike(account_id);
    await testDatabase.database.execute(AGE, [old]);
    await strikes.lift(testDatabase.database, lifted, null, 'a mistake');
    const [standing, ...others] = await strikes.listStandings(NIL, 10, DAYS);
    expect(others).toEqual([]);
    expect(standing).toMatchObject({ account_id, strikes: 1 });
    expect(standing?.lifted_at_us).toBeGreaterThan(standing?.recorded_at_us ?? Infinity);
  });

  it('are listed page by page, with those that have no strike left', async () => {
    const accounts = Array.from({ length: 5 }, () => uuidv7());
    for (const account of accounts) await strike(account);
    const aged = await strike(accounts[0] ?? '');
    await testDatabase.database.execute(AGE, [aged]);
    const first = await strikes.listStandings(NIL, 3, DAYS);
    const second = await strikes.listStandings(first[2]?.account_id ?? '', 3, DAYS);
    expect([...first, ...second].map(({ account_id }) => account_id)).toEqual(accounts);
    expect(second.every(({ lifted_at_us }) => lifted_at_us === null)).toBe(true);
  });

  it('are older than the event of a strike that they do not include', async () => {
    const account_id = uuidv7();
    await strike(account_id);
    const { event, standing } = await testDatabase.database.transaction(async (transaction) => {
      await strikes.lockAccount(transaction, account_id);
      await strike(account_id, transaction);
      const counted = await strikes.count(transaction, account_id, DAYS);
      return { event: counted, standing: (await strikes.listStandings(NIL, 1, DAYS))[0] };
    });
    expect(standing?.strikes).toBe(1);
    expect(event.strikes).toBe(2);
    expect(standing?.recorded_at_us).toBeLessThan(event.counted_at_us);
    const [after] = await strikes.listStandings(NIL, 1, DAYS);
    expect(after?.recorded_at_us).toBeLessThanOrEqual(event.counted_at_us);
  });
});
