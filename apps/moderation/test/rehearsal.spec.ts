import { statement } from '@kinora/database';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { isOnlyTestImage } from '../src/image/known-image';
import { migrations } from '../src/migrations/migrations';
import { ModerationConfig } from '../src/moderation.config';
import { AllowRehearsal } from '../src/use-cases/lift-strike.use-case';
import { DecisionEntity } from '../src/decision/decision.entity';
import { RehearsalAccountEntity, StrikeEntity } from '../src/strike/strike.entity';
import { RehearsalAccountRepository, StrikeRepository } from '../src/strike/strike.repository';
import { StrikeLedger } from '../src/strike/strike-ledger';

const DECIDE = statement(
  'spec_decide',
  `INSERT INTO decision (id, account_id, job_id, stage, verdict, engine, reason, content_sha256, policy_version, engines, findings)
   VALUES ($1, $2, $3, 'output', 'blocked', 'hash', 'test_picture', ARRAY[repeat('0', 64)], 'p', '{}', '[]')`,
);
const STRUCK = statement('spec_struck', 'SELECT account_id FROM strike WHERE job_id = $1');

const ENTITIES = [DecisionEntity, StrikeEntity, RehearsalAccountEntity];

describe('rehearsed blocks', () => {
  let database: TestDatabase;
  let ledger: StrikeLedger;
  let allow: AllowRehearsal;

  beforeAll(async () => {
    database = await createTestDatabase('moderation', migrations, ENTITIES);
    const rehearsals = new RehearsalAccountRepository(database.database.repository(RehearsalAccountEntity));
    const strikes = new StrikeRepository(database.database.repository(StrikeEntity), database.database);
    ledger = new StrikeLedger(database.database, strikes, rehearsals, new ModerationConfig());
    allow = new AllowRehearsal(rehearsals);
  });
  afterAll(() => database.close());

  async function isStruck(account_id: string, isTestMaterial: boolean): Promise<boolean> {
    const [job_id, decision_id] = [uuidv7(), uuidv7()];
    await database.database.execute(DECIDE, [decision_id, account_id, job_id]);
    await database.database.transaction((transaction) =>
      ledger.record(transaction, { account_id, job_id, decision_id }, isTestMaterial),
    );
    return (await database.database.findOne(STRUCK, [job_id])) !== null;
  }

  it('add no strikes to a rehearsal account, unless other content is blocked too', async () => {
    const account_id = uuidv7();
    await allow.execute({ account_id });
    await allow.execute({ account_id });
    expect(await isStruck(account_id, true)).toBe(false);
    expect(await isStruck(account_id, false)).toBe(true);
  });

  it('add strikes to every other account', async () => {
    expect(await isStruck(uuidv7(), true)).toBe(true);
  });

  it('are blocks in which every objection is to the test image', () => {
    const found = (...objections: (string | null)[]) =>
      isOnlyTestImage(objections.map((objection) => ({ opinion: { objection } })));
    expect(found('test_picture', null, 'test_picture')).toBe(true);
    expect(found('test_picture', 'listed')).toBe(false);
    expect(found(null)).toBe(false);
  });

  it('need an account', async () => {
    await expect(allow.execute({ account_id: 'me' })).rejects.toMatchObject({
      code: 'invalid_body',
      param: 'account_id',
    });
  });
});
