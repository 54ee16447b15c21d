import { v7 as uuidv7 } from 'uuid';
import type { OutboxRelay } from '@kinora/database';
import { statement } from '@kinora/database';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { AppealEntity } from '../src/appeal/appeal.entity';
import { AppealRepository } from '../src/appeal/appeal.repository';
import { DecisionEntity } from '../src/decision/decision.entity';
import { migrations } from '../src/migrations/migrations';
import { ModerationConfig } from '../src/moderation.config';
import { RehearsalAccountEntity, StrikeEntity } from '../src/strike/strike.entity';
import { StrikeLedger } from '../src/strike/strike-ledger';
import { RehearsalAccountRepository, StrikeRepository } from '../src/strike/strike.repository';
import { TEST_TEXT } from '../src/text/lexicon';
import { AppealJob } from '../src/use-cases/appeal-job.use-case';
import { DecideAppeal } from '../src/use-cases/decide-appeal.use-case';
import { gateOf } from './gate.fixtures';

const INSERT_DECISION = statement(
  'spec_insert_block',
  `INSERT INTO decision (id, account_id, job_id, stage, verdict, engine, reason, content_sha256, policy_version, engines,
                         findings, texts, created_at)
   VALUES ($1, $2, $3, $4, 'blocked', 'local', 'sexual', '{hash}', 'version', '{}', '[]', 0,
           now() - $5 * interval '1 day')`,
);
const LIFTED_EVENTS = statement(
  'spec_lifted_events',
  `SELECT payload ->> 'job_id' AS job_id FROM outbox WHERE subject = 'moderation.v1.event.strike_lifted'`,
);
const TEXT = 'It is a statue of marble.';

describe('an appeal', () => {
  let database: TestDatabase;
  let strikes: StrikeRepository;
  let appealJob: AppealJob;
  let decide: DecideAppeal;
  let account_id: string;

  beforeAll(async () => {
    database = await createTestDatabase('moderation', migrations, [
      ...[DecisionEntity, StrikeEntity, RehearsalAccountEntity, AppealEntity],
    ]);
    const of = database.database;
    strikes = new StrikeRepository(of.repository(StrikeEntity), of);
    const rehearsals = new RehearsalAccountRepository(of.repository(RehearsalAccountEntity));
    const ledger = new StrikeLedger(of, strikes, rehearsals, new ModerationConfig());
    const appeals = new AppealRepository(of.repository(AppealEntity), of);
    appealJob = new AppealJob(appeals, await gateOf('{}'));
    const relay = { nudge: () => undefined } as OutboxRelay;
    decide = new DecideAppeal(of, appeals, ledger, relay);
  });
  afterAll(() => database.close());
  beforeEach(() => {
    account_id = uuidv7();
  });

  /** A job whose content was blocked, with a strike where it was an output. */
  async function blockedJob({ stage = 'output', days = 1 } = {}): Promise<string> {
    const [decision_id, job_id] = [uuidv7(), uuidv7()];
    await database.database.execute(INSERT_DECISION, [decision_id, account_id, job_id, stage, days]);
    if (stage === 'output') await strikes.record(database.database, { account_id, job_id, decision_id });
    return job_id;
  }
  const appeal = (job_id: string, text = TEXT, account = account_id) =>
    appealJob.execute({ account_id: account, job_id, text });
  const openOnes = async () => (await decide.list({})).data.filter((one) => one.account_id === account_id);

  it('is taken once a job, and is answered with the decision of an operator later', async () => {
    const job_id = await blockedJob();
    const answers = await Promise.all([appeal(job_id), appeal(job_id), appeal(job_id, 'Another text.')]);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers[0]).toMatchObject({ object: 'appeal', job_id, status: 'open', decided_at: null, reason: null });
    const [open, ...others] = await openOnes();
    expect(others).toEqual([]);

    const request = { appeal_id: open?.appeal_id ?? '', reason: 'a statue, seen by Ada', actor: 'ada@example.com' };
    const lifted = { ...request, status: 'lifted' as const };
    expect(await decide.execute(lifted)).toMatchObject({ status: 'lifted', decided_by: 'ada@example.com' });
    expect(await decide.execute({ ...request, status: 'upheld' })).toMatchObject({ status: 'lifted' });

    expect(await openOnes()).toEqual([]);
    expect(await appeal(job_id)).toMatchObject({ status: 'lifted', reason: 'a statue, seen by Ada' });
    const [strike] = await strikes.list(account_id, null, 10);
    expect(strike).toMatchObject({ job_id, lifted_by: 'ada@example.com', lift_reason: 'a statue, seen by Ada' });
    expect(await database.database.query(LIFTED_EVENTS)).toEqual([{ job_id }]);
  });

  it('that is upheld leaves the strike', async () => {
    const job_id = await blockedJob();
    await appeal(job_id);
    const [open] = await openOnes();
    await decide.execute({ appeal_id: open?.appeal_id ?? '', status: 'upheld', reason: 'no statue' });
    expect(await appeal(job_id)).toMatchObject({ status: 'upheld', reason: 'no statue' });
    expect(await strikes.list(account_id, null, 10)).toMatchObject([{ lifted_at: null }]);
  });

  it('needs a block of an own output within 30 days, and a text that passes moderation', async () => {
    const unfounded = [
      appeal(uuidv7()),
      blockedJob({ stage: 'input' }).then((id) => appeal(id)),
      blockedJob({ days: 31 }).then((id) => appeal(id)),
      blockedJob().then((id) => appeal(id, TEXT, uuidv7())),
    ];
    for (const one of unfounded) await expect(one).rejects.toMatchObject({ code: 'not_found' });
    const job_id = await blockedJob();
    const refused = { code: 'content_blocked_prompt', param: 'text' };
    await expect(appeal(job_id, `It is ${TEST_TEXT}.`)).rejects.toMatchObject(refused);
    expect(await openOnes()).toEqual([]);
  });

  it('is decided with a reason, by one of two words', async () => {
    const request = { appeal_id: uuidv7(), status: 'lifted' as const, reason: 'seen' };
    await expect(decide.execute(request)).rejects.toMatchObject({ code: 'not_found' });
    for (const wrong of [{ reason: ' ' }, { status: 'open' as 'lifted' }, { appeal_id: 'x' }])
      await expect(decide.execute({ ...request, ...wrong })).rejects.toMatchObject({ code: 'invalid_body' });
  });
});
