import { statement } from '@kinora/database';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { JobRepository } from '../job/job.repository';
import { JobPresenter } from '../job/job.view';
import { migrations } from '../migrations/migrations';
import { insertUsedJob } from '../../test/used-job.fixtures';
import { IdempotencyKeyRepository } from './idempotency-key.repository';
import { IdempotencyKeys } from './idempotency-keys';

const AGE = statement(
  'spec_age_key',
  `UPDATE idempotency_key SET claimed_at = claimed_at - $2 * interval '1 second', accepted_at = accepted_at - $2 * interval '1 second'
    WHERE account_id = $1`,
);
const CREATE = statement(
  'spec_accept_key',
  'UPDATE idempotency_key SET accepted_at = clock_timestamp() WHERE account_id = $1',
);
const GIVE_UP = statement('spec_give_up', 'INSERT INTO job_tombstone (job_id) VALUES ($1)');

const WANTED = { key: 'order-1', route: 'POST /images/generations', body_sha256: 'one body' };
const DAY_SECONDS = 24 * 60 * 60;

describe('an idempotency key', () => {
  let database: TestDatabase;
  let keys: IdempotencyKeyRepository;
  let replay: IdempotencyKeys;
  let accountId: string;

  beforeAll(async () => {
    database = await createTestDatabase('jobs', migrations);
    keys = new IdempotencyKeyRepository(database.database);
    const presenter = new JobPresenter({
      signLink: () => Promise.reject(new Error('The jobs of these tests have no output.')),
    });
    replay = new IdempotencyKeys(keys, new JobRepository(database.database), presenter);
  });
  afterAll(() => database.close());
  beforeEach(() => (accountId = uuidv7()));

  const claim = (wanted = WANTED): Promise<string | null> =>
    keys.claim(accountId, wanted, { job_id: uuidv7(), has_images: false });
  const pass = (seconds: number) => database.database.execute(AGE, [accountId, seconds]);
  const create = () => database.database.execute(CREATE, [accountId]);

  it('is held by one request at a time, until its lease expires', async () => {
    const first = await claim();
    expect(first).not.toBeNull();
    await pass(20);
    expect(await claim()).toBeNull();
    await pass(6);
    expect(await claim()).toBe(first);
    expect(await claim()).toBeNull();
  });

  it.each([
    ['another body', { ...WANTED, body_sha256: 'another body' }],
    ['another route', { ...WANTED, route: 'POST /images/edits' }],
  ])('of a dead request gets a new job id for %s', async (_, other) => {
    const first = await claim();
    await pass(26);
    const second = await claim(other);
    expect(second).not.toBeNull();
    expect(second).not.toBe(first);
  });

  it('of a dead request does not resume a job id with a tombstone', async () => {
    const first = await claim();
    await database.database.execute(GIVE_UP, [first]);
    await pass(26);
    expect(await claim()).not.toBe(first);
  });

  it('is bound for 24 hours after its job was created', async () => {
    await claim();
    await create();
    await pass(DAY_SECONDS - 60);
    expect(await claim()).toBeNull();
    expect(await keys.find(accountId, WANTED.key)).toMatchObject({ body_sha256: WANTED.body_sha256 });
    await pass(120);
    expect(await keys.find(accountId, WANTED.key)).toBeNull();
    expect(await claim()).not.toBeNull();
  });

  it('replays its job for the same request only', async () => {
    const jobId = await insertUsedJob(database.database, { accountId, at: new Date().toISOString() });
    await keys.claim(accountId, WANTED, { job_id: jobId, has_images: false });
    await create();
    expect(await replay.find(accountId, WANTED)).toMatchObject({ id: jobId });
    for (const other of [{ route: 'POST /images/edits' }, { body_sha256: 'another body' }])
      await expect(replay.find(accountId, { ...WANTED, ...other })).rejects.toMatchObject({
        code: 'idempotency_conflict',
      });
    expect(await replay.find(uuidv7(), WANTED)).toBeNull();
  });

  it('is free after its request was refused, but cannot be freed by a request that has lost it', async () => {
    const first = (await claim()) ?? fail();
    await keys.free(accountId, WANTED.key, uuidv7());
    expect(await claim()).toBeNull();
    await keys.free(accountId, WANTED.key, first);
    expect(await claim()).not.toBe(first);
  });
});
