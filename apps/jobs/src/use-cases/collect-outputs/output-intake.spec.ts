import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ComputeProvider } from '@kinora/compute';
import { IMAGE } from '@kinora/compute/fixtures';
import { FileObjectStore } from '@kinora/object-store';
import { createTestLog } from '@kinora/testing';
import type { AttemptRow } from '../../attempt/attempt.row';
import type { JobRow } from '../../job/job.entity';
import { toCollectionProblem } from './collection-problem';
import { OutputIntake } from './output-intake';

const attempt = { job_id: 'job', number: 1, fence: 2 } as AttemptRow;
const job = {
  id: 'job',
  kind: 'image.generation',
  input: { n: 1, seed: 5, size: '128x100', output_format: 'png' },
} as JobRow;
const provider = {
  id: 'gpu-a',
  provenance: 'trainedAlgorithmicMedia',
  seededOutputs: ({ template }) => (template === 'batch' ? 'first' : 'each'),
} as ComputeProvider;
const made = [() => Promise.resolve(IMAGE)];

/** Loses bytes without an error, like a full disk or a broken connection. */
class ForgetfulStore extends FileObjectStore {
  override put(key: string, bytes: Buffer, meta: { mime: string }): Promise<void> {
    return super.put(key, bytes.subarray(0, -1), meta);
  }
}

describe('output intake', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-intake-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const take = (store: FileObjectStore) =>
    new OutputIntake(store, createTestLog().logger).take(provider, attempt, job, made);

  it('stores an output under the id of its job and its claim', async () => {
    const store = new FileObjectStore(folder);
    const [stored] = await take(store);
    expect(stored).toMatchObject({ object_key: 'outputs/job/job-1-2-0.png', width: 128, height: 100, seed: 5 });
    expect((await store.get('outputs/job/job-1-2-0.png')).includes('trainedAlgorithmicMedia')).toBe(true);
  });

  it.each([
    [['single'], [2 ** 31 - 1, 0, 1]],
    [['batch'], [2 ** 31 - 1, null, null]],
    [
      ['single', 'batch'],
      [2 ** 31 - 1, null, null],
    ],
  ])('returns the seeds that reproduce an output, by templates %j', async (templates, seeds) => {
    const plan = { loras: [], routes: templates.map((template) => ({ provider: 'gpu-a', template, weight: 1 })) };
    const several = { ...job, images: [], plan, input: { ...job.input, n: 3, seed: 2 ** 31 - 1 } } as unknown as JobRow;
    const intake = new OutputIntake(new FileObjectStore(folder), createTestLog().logger);
    const stored = await intake.take(provider, attempt, several, [...made, ...made, ...made]);
    expect(stored.map((output) => 'seed' in output && output.seed)).toEqual(seeds);
  });

  it('fails with a retryable error if the store loses bytes, and deletes what it has stored', async () => {
    const problem = await take(new ForgetfulStore(folder)).catch(toCollectionProblem);
    expect(problem).toMatchObject({ code: 'storage_error', isFinal: false });
    const left = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
  });
});
