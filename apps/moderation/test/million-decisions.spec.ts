import path from 'node:path';
import type { Database } from '@kinora/database';
import {
  type CostLimits,
  MeasuredDatabase,
  type TestDatabase,
  fillTable,
  numberedId,
  numberedIdSql,
  statementNames,
} from '@kinora/testing';
import { NIL, v7 as uuidv7 } from 'uuid';
import { DecisionEntity } from '../src/decision/decision.entity';
import { DecisionLogRepository } from '../src/decision/decision-log.repository';
import { DecisionRepository } from '../src/decision/decision.repository';
import type { BlockedVerdict } from '../src/gate/gate';
import { localPolicy } from '../src/image/local-image.engine';
import { versionOfEngine } from '../src/judging/engine-policy';
import { migrations } from '../src/migrations/migrations';
import { ModerationConfig } from '../src/moderation.config';
import { RecordedDecisionRepository } from '../src/replay/recorded-decision.repository';
import { RehearsalAccountEntity, StrikeEntity } from '../src/strike/strike.entity';
import { RehearsalAccountRepository, StrikeRepository } from '../src/strike/strike.repository';
import { ReplayPolicy } from '../src/use-cases/replay-policy.query';

const DECISIONS = 1_000_000;
/** One decision in this many is blocked, and has a strike. */
const BLOCKED_EVERY = 10_000;
const LIMITS: CostLimits = { most: 250, mostOf: {} };

const ID = numberedIdSql('n');
/** The account of all decisions. */
const ACCOUNT = numberedId(1);

/** The image of a decision has one of so many scores, from 0 in steps of a hundredth. */
const SCORES = 60;
const ENGINES = JSON.stringify({ hash: 'version', local: versionOfEngine(localPolicy()) });
const WRITE_DECISIONS = `
  INSERT INTO decision (id, account_id, job_id, stage, verdict, engine, reason, content_sha256, policy_version, engines,
                        findings, texts)
  SELECT ${ID}, '${ACCOUNT}', ${ID}, 'output', verdict, engine, engine, '{hash}', 'version', '${ENGINES}',
         jsonb_build_array(
           ${findingSql('hash')} || jsonb_build_object('objection', engine, 'scores', '{}'::jsonb),
           ${findingSql('local')} || jsonb_build_object('objection', null, 'scores', jsonb_build_object(
             'sexual', n % ${SCORES} / 100.0, 'sexual_young_context', 0))), 0
    FROM generate_series(1, ${DECISIONS}) AS n,
         LATERAL (SELECT CASE WHEN n % ${BLOCKED_EVERY} = 0 THEN 'blocked' ELSE 'passed' END AS verdict,
                         CASE WHEN n % ${BLOCKED_EVERY} = 0 THEN 'hash' END AS engine) AS decided`;
const WRITE_STRIKES = `
  INSERT INTO strike (id, account_id, job_id, decision_id)
  SELECT id, CASE WHEN id <= '${numberedId(DECISIONS / 2)}' THEN account_id ELSE id END, job_id, id FROM decision
   WHERE verdict = 'blocked'`;

const BLOCKED: BlockedVerdict = {
  outcome: 'blocked',
  judgement: { contentSha256: ['hash'], texts: 1, policyVersion: 'version', engines: {}, findings: [] },
  objection: { engine: 'words', reason: 'reason', content: 'text', param: null },
};

describe('with a million decisions', () => {
  let database: MeasuredDatabase;
  let unmeasured: Database;

  beforeAll(async () => {
    const fill = async (test: TestDatabase): Promise<void> => {
      unmeasured = test.database;
      await fillModeration(test);
    };
    database = await MeasuredDatabase.create('moderation', migrations, fill, [
      DecisionEntity,
      StrikeEntity,
      RehearsalAccountEntity,
    ]);
  }, 180_000);
  afterAll(() => database.close());

  it('every statement uses an index, and reads a few pages', async () => {
    for (const work of worksOf(database)) await work();
    expect(database.costlierThan(LIMITS)).toEqual([]);
    expect(database.unmeasured(statementNames(path.join(__dirname, '../src')))).toEqual([]);
  });

  it('a replay of them all changes none by the policy that made them, and counts what a stricter one blocks', async () => {
    expect(await replayAll(unmeasured, 'engines: []')).toEqual({ checked: DECISIONS, changed: 0 });
    const policy = 'engines: [{ type: local, thresholds: { image: { sexual: 0.5 } } }]';
    const scores = Array.from({ length: DECISIONS }, (_, at) =>
      (at + 1) % BLOCKED_EVERY === 0 ? 0 : (at + 1) % SCORES,
    );
    const changed = scores.filter((score) => score >= 50).length;
    expect(await replayAll(unmeasured, policy)).toEqual({ checked: DECISIONS, changed });
  }, 600_000);
});

/** As `kinora decision replay` does it, page by page. */
async function replayAll(database: Database, policy: string): Promise<{ checked: number; changed: number }> {
  const replay = new ReplayPolicy(new RecordedDecisionRepository(database), new ModerationConfig());
  let [checked, changed] = [0, 0];
  for (let next: string | null | undefined; next !== null;) {
    const page = await replay.execute({ policy, ...(next !== undefined && { before_decision_id: next }) });
    checked += page.checked;
    changed += page.changes.reduce((sum, { decisions }) => sum + decisions, 0);
    next = page.next_before_decision_id;
  }
  return { checked, changed };
}

function findingSql(engine: string): string {
  const found = { content: 'image', content_sha256: 'hash', param: null, engine, by_threshold: false };
  return `'${JSON.stringify(found)}'::jsonb`;
}

async function fillModeration({ adminUrl }: TestDatabase): Promise<void> {
  await fillTable(adminUrl, 'moderation.decision', [WRITE_DECISIONS]);
  await fillTable(adminUrl, 'moderation.strike', [WRITE_STRIKES]);
}

/** A call for each statement of the context. */
function worksOf(database: Database): (() => Promise<unknown>)[] {
  const log = new DecisionLogRepository(database.repository(DecisionEntity));
  const strikes = new StrikeRepository(database.repository(StrikeEntity), database);
  const rehearsals = new RehearsalAccountRepository(database.repository(RehearsalAccountEntity));
  const judged = { account_id: ACCOUNT, job_id: uuidv7(), stage: 'output' } as const;
  const lists = [null, ACCOUNT].flatMap((account_id) =>
    ([null, 'passed', 'blocked'] as const).map((verdict) => ({ account_id, job_id: null, verdict })),
  );
  return [
    () => new DecisionRepository(database).recordBlocked(database, judged, BLOCKED),
    () => log.find(numberedId(7)),
    ...lists.map((filter) => async () => expect(await log.list(filter, null, 50)).toHaveLength(50)),
    ...lists.map((filter) => () => log.list(filter, numberedId(DECISIONS / 2), 50)),
    () => log.list({ account_id: null, job_id: numberedId(7), verdict: null }, null, 50),
    async () => expect(await log.findOfJob(ACCOUNT, numberedId(7), 50)).toHaveLength(1),
    () => new RecordedDecisionRepository(database).readBack(numberedId(DECISIONS / 2), 500),
    () => strikes.lockAccount(database, ACCOUNT),
    () => strikes.record(database, { ...judged, decision_id: numberedId(BLOCKED_EVERY) }),
    () => strikes.count(database, ACCOUNT, 30),
    () => strikes.listStandings(NIL, 50, 30),
    () => strikes.lift(database, numberedId(BLOCKED_EVERY), null, 'a mistake'),
    () => strikes.find(numberedId(BLOCKED_EVERY)),
    () => rehearsals.allow(ACCOUNT),
    () => rehearsals.isAllowed(database, ACCOUNT),
    () => strikes.list(null, null, 50),
    () => strikes.list(null, numberedId(DECISIONS / 2), 50),
    () => strikes.list(ACCOUNT, null, 50),
    () => strikes.list(ACCOUNT, numberedId(DECISIONS / 2), 50),
  ];
}
