import { type Queryable, statement } from '@kinora/database';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import type { FinishedCursor } from '@kinora/contracts/jobs/jobs.rpc';
import { migrations } from '../migrations/migrations';
import { EndedJobRepository } from './ended-job.repository';
import { JobRepository, PAGE } from '../job/job.repository';

/** A canceled job with a webhook. */
const INSERT = statement(
  'spec_insert_ended',
  `INSERT INTO job (id, account_id, model, status, created_at, completed_at, price_micros, kind, input, images, provider, plan,
                    input_decision_id, retention_days, moderation_status, webhook_url)
   VALUES ($1, $1, 'general-image', 'canceled', $2, $2, 0, 'image.generation', '{}', '[]', 'sandbox', '{}', $1, 7, 'passed',
           'https://example.com/hook')`,
);

describe('pages of ended jobs', () => {
  let database: TestDatabase;
  let jobs: JobRepository;
  let ended: EndedJobRepository;

  beforeEach(async () => {
    database = await createTestDatabase('jobs', migrations);
    jobs = new JobRepository(database.database);
    ended = new EndedJobRepository(database.database);
  });
  afterEach(() => database.close());

  const insert = async (queryable: Queryable, at: Date): Promise<string> => {
    const id = uuidv7();
    await queryable.execute(INSERT, [id, at]);
    return id;
  };

  it('contain every finished job once, also if jobs of one millisecond are split between pages', async () => {
    const at = new Date('2026-03-01T08:00:00.123Z');
    const ids: string[] = [];
    for (const afterMs of [0, 0, 0, 0, 1, 2, 2])
      ids.push(await insert(database.database, new Date(at.getTime() + afterMs)));
    const seen: string[] = [];
    let after: FinishedCursor | null = null;
    for (let page = await jobs.listFinished(after, 2); page.length > 0; page = await jobs.listFinished(after, 2)) {
      seen.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      after = last?.completed_at ? { completed_at: last.completed_at.toISOString(), job_id: last.id } : null;
    }
    expect(seen).toEqual(ids);
  });

  it('begin with the holds that are due longest, so that a full page of younger ones does not delay them', async () => {
    const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
    const younger: string[] = [];
    for (let index = 0; index < PAGE; index++) younger.push(await insert(database.database, minutesAgo(10)));
    const oldest = [await insert(database.database, minutesAgo(30)), await insert(database.database, minutesAgo(20))];
    const claimed = async (): Promise<string[]> => (await ended.claimUnendedHolds()).map(({ id }) => id);
    const page = await claimed();
    expect(page).toHaveLength(PAGE);
    expect(page).toEqual(expect.arrayContaining(oldest));
    expect(new Set(await claimed())).toEqual(new Set(younger.filter((id) => !page.includes(id))));
  });
});
