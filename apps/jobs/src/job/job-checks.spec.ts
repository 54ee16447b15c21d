import { createHash } from 'node:crypto';
import { statement, violatedConstraint } from '@kinora/database';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { migrations } from '../migrations/migrations';

const PASSED = createHash('sha256').update('a sea').digest('hex');
const OTHER = createHash('sha256').update('a storm').digest('hex');
const NOW = new Date().toISOString();

const QUEUED = {
  id: uuidv7(),
  account_id: uuidv7(),
  kind: 'image.generation',
  model: 'general-image',
  status: 'queued',
  input: { prompt: 'a sea' },
  images: [{ sha256: OTHER }],
  provider: 'sandbox',
  plan: {},
  price_micros: 0,
  moderation_status: 'pending',
  input_decision_id: uuidv7(),
  retention_days: 7,
  created_at: NOW,
  deadline_at: NOW,
  turn: 0,
  passed_input_sha256: [PASSED, OTHER],
};
const ENDED = { ...QUEUED, deadline_at: null, completed_at: NOW };
const FAILED = { ...ENDED, status: 'failed', error_code: 'provider_error' };
const SUCCEEDED = {
  ...ENDED,
  status: 'succeeded',
  moderation_status: 'passed',
  output_decision_id: uuidv7(),
  output: [{ sha256: PASSED }],
  passed_output_sha256: [PASSED],
};

const STORE = statement(
  'spec_store_job',
  'INSERT INTO job SELECT given.* FROM json_populate_record(NULL::job, $1::json) AS given',
);

describe('a row of job', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase('jobs', migrations);
  });
  afterAll(() => test.close());

  /** The name of the constraint that the row breaks, or null if it is stored. */
  const storing = async (row: object): Promise<string | null> => {
    try {
      await test.database.execute(STORE, [JSON.stringify({ ...row, id: uuidv7() })]);
      return null;
    } catch (error) {
      return violatedConstraint(error);
    }
  };

  it.each([
    ['queued', QUEUED],
    ['queued by a release that kept no hashes', { ...QUEUED, passed_input_sha256: null }],
    ['processing, with any prompt', { ...QUEUED, status: 'processing', passed_input_sha256: [] }],
    ['succeeded', SUCCEEDED],
    ['succeeded in a release that kept no hashes', { ...SUCCEEDED, passed_output_sha256: null }],
    ['failed', FAILED],
    ['canceled', { ...ENDED, status: 'canceled' }],
  ])('is stored as %s', async (_name, row) => {
    expect(await storing(row)).toBeNull();
  });

  it.each([
    ['of an unknown kind', { ...QUEUED, kind: 'song.generation' }],
    ['of an unknown status', { ...QUEUED, status: 'lost' }],
    ['of an unknown verdict', { ...QUEUED, moderation_status: 'unsure' }],
    ['below any price', { ...QUEUED, price_micros: -1 }],
    ['kept for no day', { ...QUEUED, retention_days: 0 }],
    ['kept for more than a year', { ...QUEUED, retention_days: 366 }],
    ['queued without a deadline', { ...QUEUED, deadline_at: null }],
    ['queued with a time of completion', { ...QUEUED, completed_at: NOW }],
    ['queued with an output', { ...QUEUED, output: [] }],
    ['ended with a deadline', { ...FAILED, deadline_at: NOW }],
    ['ended without a time of completion', { ...FAILED, completed_at: null }],
    ['that failed without an error', { ...FAILED, error_code: null }],
    ['that failed with an output', { ...FAILED, output: [] }],
    ['that succeeded without an output', { ...SUCCEEDED, output: null, passed_output_sha256: null }],
    ['that succeeded with an error', { ...SUCCEEDED, error_code: 'provider_error' }],
    ['that succeeded before the output gate', { ...SUCCEEDED, moderation_status: 'pending' }],
    ['that succeeded without a decision', { ...SUCCEEDED, output_decision_id: null }],
  ])('is refused %s', async (_name, row) => {
    expect(await storing(row)).toBe('job_is_sound');
  });

  it.each([
    ['whose prompt differs from the screened one', { ...QUEUED, input: { prompt: 'a storm' } }],
    ['whose negative prompt was not screened', { ...QUEUED, input: { prompt: 'a sea', negative_prompt: 'a storm' } }],
    ['whose image differs from the screened one', { ...QUEUED, images: [{ sha256: PASSED }] }],
    ['whose output differs from the screened one', { ...SUCCEEDED, output: [{ sha256: OTHER }] }],
  ])('is refused %s', async (_name, row) => {
    expect(await storing(row)).toBe('job_is_of_what_passed');
  });
});
