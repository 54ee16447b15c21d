import { migrate, statement } from '@kinora/database';
import { type TestDatabase, createTestDatabase, numberedIdSql, undoMigrations } from '@kinora/testing';
import { NIL, v7 as uuidv7 } from 'uuid';
import { DecisionRepository } from '../src/decision/decision.repository';
import type { BlockedVerdict } from '../src/gate/gate';
import { migrations } from '../src/migrations/migrations';

const DECISIONS = 20_000;
const BEFORE = migrations.slice(0, 3);
const FILL_DECISIONS = `
  INSERT INTO decision (id, account_id, job_id, stage, verdict, engine, reason, content_sha256, policy_version, engines, findings)
  SELECT ${numberedIdSql('n')}, '${NIL}', ${numberedIdSql('n')}, 'output', 'blocked', 'hash', 'hash', '{hash}', 'version', '{}', '[]'
    FROM generate_series(1, ${DECISIONS}) AS n`;
const FILL_STRIKES = `
  INSERT INTO strike (id, account_id, job_id, decision_id) SELECT id, account_id, job_id, id FROM decision LIMIT 10`;
const COUNT = statement('spec_count', 'SELECT count(*)::integer AS decisions FROM decision');
const FIND_CHECK = statement(
  'spec_find_check',
  `SELECT convalidated FROM pg_constraint WHERE conname = 'decision_in_first_partition'`,
);
const BLOCKED: BlockedVerdict = {
  outcome: 'blocked',
  judgement: { contentSha256: ['hash'], texts: 0, policyVersion: 'version', engines: {}, findings: [] },
  objection: { engine: 'hash', reason: 'reason', content: 'image', param: null },
};

describe('decisions of an earlier release', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase('moderation', BEFORE);
    for (const fill of [FILL_DECISIONS, FILL_STRIKES]) await test.database.execute(statement('', fill));
  });
  afterAll(() => test.close());

  /** Records decisions one after another until it is stopped. */
  function startWriter() {
    const decisions = new DecisionRepository(test.database);
    const latenciesMs: number[] = [];
    let isStopped = false;
    const write = async (): Promise<void> => {
      while (!isStopped) {
        const begunMs = performance.now();
        const judged = { account_id: NIL, job_id: uuidv7(), stage: 'output' } as const;
        await decisions.recordBlocked(test.database, judged, BLOCKED);
        latenciesMs.push(performance.now() - begunMs);
      }
    };
    const written = write();
    return async () => {
      isStopped = true;
      await written;
      return latenciesMs;
    };
  }

  it('become the first partition while decisions are written, and are the whole table again on the way back', async () => {
    const stop = startWriter();
    const { ran } = await migrate(test.url, 'moderation', migrations);
    expect(ran).toHaveLength(migrations.length - BEFORE.length);
    const latenciesMs = await stop();
    expect(latenciesMs.length).toBeGreaterThan(0);
    expect(Math.max(...latenciesMs)).toBeLessThan(1_000);
    expect(await test.database.findOne(COUNT)).toEqual({ decisions: DECISIONS + latenciesMs.length });
    expect(await test.database.findOne(FIND_CHECK)).toBeNull();

    await undoMigrations(test.url, { migrations, count: ran.length, transaction: 'none' });
    expect(await test.database.findOne(COUNT)).toEqual({ decisions: DECISIONS + latenciesMs.length });
    expect((await migrate(test.url, 'moderation', migrations)).ran).toEqual(ran);
  });
});
