import { v7 as uuidv7 } from 'uuid';
import { PAGE_MAX_BYTES } from '@kinora/bus';
import type { PageRequest, PartialList } from '@kinora/contracts/shared/page';
import { statement } from '@kinora/database';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { DecisionEntity } from '../src/decision/decision.entity';
import { DecisionLogRepository } from '../src/decision/decision-log.repository';
import { ModerationConfig } from '../src/moderation.config';
import { migrations } from '../src/migrations/migrations';
import { StrikeEntity } from '../src/strike/strike.entity';
import { StrikeRepository } from '../src/strike/strike.repository';
import { ListDecisions } from '../src/use-cases/list-decisions.query';
import { ListStrikes } from '../src/use-cases/list-strikes.query';

const DECISIONS = 30;
/** All made in the millisecond of their job. */
const INSERT_DECISIONS = statement(
  'spec_insert_decisions',
  `INSERT INTO decision (id, account_id, job_id, stage, verdict, engine, reason, content_sha256, policy_version, engines,
                         findings, texts)
   SELECT (left($2::uuid::text, 13) || '-7' || substr(gen_random_uuid()::text, 16))::uuid, $1, $2, 'output', 'blocked', 'words', 'words', '{hash}', 'version', '{}', $3, 1
     FROM generate_series(1, ${DECISIONS})`,
);
/** All at one moment, so that only their ids order them. */
const INSERT_STRIKES = statement(
  'spec_insert_strikes',
  `INSERT INTO strike (id, account_id, job_id, decision_id, created_at)
   SELECT id, account_id, id, id, '2026-11-20T09:00:00Z' FROM decision WHERE account_id = $1`,
);

describe('the lists of decisions and strikes', () => {
  const [account_id, job_id] = [uuidv7(), uuidv7()];
  let database: TestDatabase;
  let listDecisions: ListDecisions;
  let listStrikes: ListStrikes;

  beforeAll(async () => {
    database = await createTestDatabase('moderation', migrations, [DecisionEntity, StrikeEntity]);
    const finding = { content: 'text', content_sha256: 'x'.repeat(60_000), engine: 'words' };
    await database.database.execute(INSERT_DECISIONS, [account_id, job_id, JSON.stringify([finding])]);
    await database.database.execute(INSERT_STRIKES, [account_id]);
    listDecisions = new ListDecisions(new DecisionLogRepository(database.database.repository(DecisionEntity)));
    const strikes = new StrikeRepository(database.database.repository(StrikeEntity), database.database);
    listStrikes = new ListStrikes(strikes, new ModerationConfig());
  });
  afterAll(() => database.close());

  const pagesOf = async <Item>(list: (cursor: PageRequest) => Promise<PartialList<Item>>): Promise<Item[][]> => {
    const pages: Item[][] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list(cursor === undefined ? {} : { cursor });
      expect(page.has_more).toBe(page.next_cursor !== null);
      pages.push(page.data);
      cursor = page.next_cursor;
    }
    return pages;
  };

  it('of a receipt are those of its job, for the account of the job alone', async () => {
    const { decisions } = await listDecisions.findOfJob({ account_id, job_id });
    expect(decisions).toHaveLength(DECISIONS);
    expect(decisions.map(({ decision_id }) => decision_id)).toEqual(decisions.map((each) => each.decision_id).sort());
    expect(decisions[0]).toEqual({
      decision_id: expect.any(String) as string,
      stage: 'output',
      verdict: 'blocked',
      policy_version: 'version',
      created_at: expect.any(String) as string,
    });
    expect(await listDecisions.findOfJob({ account_id: uuidv7(), job_id })).toEqual({ decisions: [] });
  });

  it.each([
    ['an account', { account_id }],
    ['an account, blocked', { account_id, verdict: 'blocked' }],
    ['a job', { job_id }],
    ['all accounts', {}],
    ['all accounts, blocked', { verdict: 'blocked' }],
  ])('give each decision of %s once, in pages that a message carries', async (_, filter) => {
    const pages = await pagesOf((cursor) => listDecisions.execute({ ...filter, limit: 1_000, ...cursor }));
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(PAGE_MAX_BYTES);
    const ids = pages.flat().map(({ decision_id }) => decision_id);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    expect(ids).toHaveLength(DECISIONS);
  });

  it.each([
    ['an account', { account_id }],
    ['all accounts', {}],
  ])('give each strike of %s once, also where they were recorded at one moment', async (_, filter) => {
    const pages = await pagesOf((cursor) => listStrikes.execute({ ...filter, limit: 7, ...cursor }));
    expect(pages.map((page) => page.length)).toEqual([7, 7, 7, 7, 2]);
    const ids = pages.flat().map(({ strike_id }) => strike_id);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });

  it('refuse an invalid cursor', async () => {
    const refused = { code: 'invalid_body', param: 'cursor' };
    await expect(listDecisions.execute({ cursor: 'x' })).rejects.toMatchObject(refused);
    await expect(listStrikes.execute({ cursor: 'x' })).rejects.toMatchObject(refused);
  });
});
