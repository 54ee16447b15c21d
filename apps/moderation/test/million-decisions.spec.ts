import path from 'node:path';
import { type Database, type GaugeSampler, monthAfter, PartitionedTable } from '@kinora/database';
import {
  type CostLimits,
  MeasuredDatabase,
  type TestDatabase,
  createTestLog,
  fillTable,
  numberedId,
  numberedIdSql,
  statementNames,
} from '@kinora/testing';
import { NIL, v7 as uuidv7 } from 'uuid';
import { AppealEntity } from '../src/appeal/appeal.entity';
import { AppealRepository } from '../src/appeal/appeal.repository';
import { DecisionEntity } from '../src/decision/decision.entity';
import { DecisionLogRepository } from '../src/decision/decision-log.repository';
import { DecisionRepository } from '../src/decision/decision.repository';
import { askedHashesOf } from '../src/fingerprint/asked-hash';
import { FINGERPRINTS_PRUNE_PAGE, FingerprintRepository } from '../src/fingerprint/fingerprint.repository';
import { STORED_NUMBERS } from '../src/fingerprint/hash-bands';
import type { BlockedVerdict } from '../src/gate/gate';
import { PLANE_SIDE } from '../src/image/perceptual-hash';
import { localPolicy } from '../src/image/local-image.engine';
import { versionOfEngine } from '../src/judging/engine-policy';
import { migrations } from '../src/migrations/migrations';
import { ModerationConfig } from '../src/moderation.config';
import { RecordedDecisionRepository } from '../src/replay/recorded-decision.repository';
import { RehearsalAccountEntity, StrikeEntity } from '../src/strike/strike.entity';
import { RehearsalAccountRepository, StrikeRepository } from '../src/strike/strike.repository';
import { ReplayPolicy } from '../src/use-cases/replay-policy.query';

const DECISIONS = 1_000_000;
/** One decision in this many is blocked by a hash, and has a strike; as many are blocked for each reason of the image model. */
const BLOCKED_EVERY = 10_000;
/** It reads back, month by month, until a page is full. */
const ACROSS_MONTHS = ['decision_list'];
const LIMITS: CostLimits = {
  most: 250,
  // A page of old rows, each of which is found by its key and deleted.
  mostOf: { fingerprint_prune: FINGERPRINTS_PRUNE_PAGE * 6 },
  mostPlanned: 4,
  acrossPartitions: ACROSS_MONTHS,
  plannedForAll: ACROSS_MONTHS,
};

/** Months without a decision, after the one with all of them. */
const EMPTY_MONTHS = 36;

const ID = numberedIdSql('n');
const ACCOUNT = numberedId(1);

/** The image of a passed decision has one of so many scores, from 0 in steps of a hundredth. */
const SCORES = 50;
const ENGINES = JSON.stringify({ hash: 'version', local: versionOfEngine(localPolicy()) });
const WRITE_DECISIONS = `
  INSERT INTO decision (id, account_id, job_id, stage, verdict, engine, reason, content_sha256, policy_version, engines,
                        findings, texts)
  SELECT ${ID}, '${ACCOUNT}', ${ID}, 'output', CASE WHEN reason IS NULL THEN 'passed' ELSE 'blocked' END,
         CASE WHEN listed IS NULL AND reason IS NOT NULL THEN 'local' ELSE listed END, reason, '{hash}', 'version', '${ENGINES}',
         jsonb_build_array(
           ${findingSql('hash')} || jsonb_build_object('objection', listed, 'scores', '{}'::jsonb),
           ${findingSql('local')} || jsonb_build_object('objection', found, 'by_threshold', found IS NOT NULL, 'scores',
             jsonb_build_object('sexual', score, 'sexual_young_context', CASE WHEN found LIKE '%young%' THEN score ELSE 0 END))), 0
    FROM generate_series(1, ${DECISIONS}) AS n,
         LATERAL (SELECT CASE n % ${BLOCKED_EVERY} WHEN 0 THEN 'hash' END AS listed,
                         CASE n % ${BLOCKED_EVERY} WHEN 1 THEN 'sexual' WHEN 2 THEN 'sexual_young_context' END AS found) AS judged,
         LATERAL (SELECT coalesce(listed, found) AS reason,
                         CASE WHEN found IS NULL THEN n % ${SCORES} / 100.0 ELSE 0.7 END AS score) AS image`;
const WRITE_STRIKES = `
  INSERT INTO strike (id, account_id, job_id, decision_id)
  SELECT id, CASE WHEN id <= '${numberedId(DECISIONS / 2)}' THEN account_id ELSE id END, job_id, id FROM decision
   WHERE engine = 'hash'`;
/** Appeals against decisions, of which a few are open, and outputs older than any retention. */
const ROWS = 100_000;
const WRITE_APPEALS = `
  INSERT INTO appeal (id, account_id, job_id, decision_id, text, status, decided_at, reason)
  SELECT ${ID}, '${ACCOUNT}', ${ID}, ${ID}, 'text', CASE WHEN n > 60 THEN 'upheld' ELSE 'open' END, CASE WHEN n > 60 THEN now() END,
         CASE WHEN n > 60 THEN 'reason' END
    FROM generate_series(1, ${ROWS}) AS n`;
const WRITE_FINGERPRINTS = `
  INSERT INTO fingerprint (file_sha256, frame, perceptual_hash, bands, model, created_at)
  SELECT sha256(n::text::bytea), 0, ('x' || md5(n::text) || md5('b' || n))::bit(256),
         ARRAY[${Array.from({ length: STORED_NUMBERS }, () => '(random() * 1048575)::integer').join(', ')}], 'general-image',
         now() - interval '20 years'
    FROM generate_series(1, ${ROWS}) AS n`;

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
      AppealEntity,
    ]);
    database.openFrom = monthAfter(new Date(), -1);
  }, 180_000);
  afterAll(() => database.close());

  // Before the other test, which adds decisions.
  it('a replay of them all changes none by the policy that made them, and counts what a stricter one blocks', async () => {
    expect(await replayAll(unmeasured, 'engines: []')).toEqual({ checked: DECISIONS, changed: 0 });
    const policy = 'engines: [{ type: local, thresholds: { image: { sexual: 0.3 } } }]';
    const passed = Array.from({ length: DECISIONS }, (_, at) => at + 1).filter((n) => n % BLOCKED_EVERY > 2);
    const changed = passed.filter((n) => n % SCORES >= 30).length;
    expect(await replayAll(unmeasured, policy)).toEqual({ checked: DECISIONS, changed });
  }, 600_000);

  it('every statement uses an index, and reads a few pages', async () => {
    for (const work of worksOf(database)) await work();
    expect(database.costlierThan(LIMITS)).toEqual([]);
    expect(database.unmeasured(statementNames(path.join(__dirname, '../src')))).toEqual([]);
  });
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

async function fillModeration({ adminUrl, database }: TestDatabase): Promise<void> {
  const partitions = new PartitionedTable(
    { name: 'decision', setting: '', retentionDays: 0, stays: '' },
    { database, sampler: { add: () => undefined } as unknown as GaugeSampler, logger: createTestLog().logger },
  );
  await partitions.maintain(monthAfter(new Date(), EMPTY_MONTHS));
  await fillTable(adminUrl, 'moderation.decision', [WRITE_DECISIONS]);
  await fillTable(adminUrl, 'moderation.strike', [WRITE_STRIKES]);
  await fillTable(adminUrl, 'moderation.appeal', [WRITE_APPEALS]);
  await fillTable(adminUrl, 'moderation.fingerprint', [WRITE_FINGERPRINTS]);
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
    async () => expect(await strikes.findOfJob(numberedId(BLOCKED_EVERY * 2))).not.toBeNull(),
    () => new DecisionRepository(database).hasYoungContext(numberedId(7)),
    ...worksOfAppeals(database),
    ...worksOfFingerprints(database),
  ];
}

function worksOfAppeals(database: Database): (() => Promise<unknown>)[] {
  const appeals = new AppealRepository(database.repository(AppealEntity), database);
  const appeal = { account_id: ACCOUNT, job_id: numberedId(DECISIONS - BLOCKED_EVERY), text: 'text' };
  const decided = { appeal_id: numberedId(7), status: 'lifted', reason: 'a mistake' } as const;
  return [
    async () => expect(await appeals.findBlock(appeal, 30)).not.toBeNull(),
    () => appeals.add(appeal, numberedId(DECISIONS - BLOCKED_EVERY)),
    async () => expect(await appeals.findOfJob(ACCOUNT, numberedId(7))).not.toBeNull(),
    () => appeals.find(numberedId(7)),
    () => appeals.countOpen(),
    async () => expect(await appeals.list('open', null, 50)).toHaveLength(50),
    () => appeals.list('upheld', numberedId(ROWS / 2), 50),
    () => appeals.decide(database, decided),
  ];
}

function worksOfFingerprints(database: Database): (() => Promise<unknown>)[] {
  const fingerprints = new FingerprintRepository(database);
  const noise = askedHashesOf(Float64Array.from({ length: PLANE_SIDE ** 2 }, (_, at) => (at * 7_919) % 255));
  const fileSha256 = 'ab'.repeat(32);
  return [
    () => fingerprints.record([{ fileSha256, pictures: noise }], 'general-image'),
    async () => expect(await fingerprints.findFile(fileSha256)).not.toBeNull(),
    async () => expect(await fingerprints.findCopied(noise)).not.toBeNull(),
    async () => expect(await fingerprints.findFirstTime()).not.toBeNull(),
    async () => expect(await fingerprints.prune(3_650)).toBe(FINGERPRINTS_PRUNE_PAGE),
  ];
}
