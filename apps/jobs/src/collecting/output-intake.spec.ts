import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ComputeProvider } from '@kinora/compute';
import { IMAGE } from '@kinora/compute/fixtures';
import { Egress, EgressAllowList } from '@kinora/egress';
import { FileObjectStore } from '@kinora/object-store';
import { createTestLog } from '@kinora/testing';
import type { AttemptRow } from '../attempt/attempt.row';
import type { JobRow } from '../job/job.entity';
import { JobsConfig } from '../jobs.config';
import { toCollectionProblem } from './collection-problem';
import { OutputCredentials } from './output-credentials';
import { OutputIntake } from './output-intake';
import { OutputMarker } from './output-marker';

const { logger: log } = createTestLog();

const attempt = { job_id: 'job', number: 1, fence: 2 } as AttemptRow;
const job = {
  id: 'job',
  kind: 'image.generation',
  images: [],
  plan: { loras: [], routes: [] },
  input: { n: 1, seed: 5, size: '128x100', output_format: 'png' },
} as unknown as JobRow;
const provider = {
  id: 'gpu-a',
  provenance: 'trainedAlgorithmicMedia',
  seededOutputs: ({ template }) => (template === 'batch' ? 'first' : 'each'),
} as ComputeProvider;
const made = [() => Promise.resolve(IMAGE)];

/** Without a certificate: what it adds to files has a spec of its own. */
function credentialsOf(store: FileObjectStore): OutputCredentials {
  const egress = new Egress({ allow: EgressAllowList.parse('') });
  return new OutputCredentials(store, egress, new JobsConfig(), createTestLog().logger);
}

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

  const intakeOf = (store: FileObjectStore, outputsMaxBytes = 2 ** 24) =>
    new OutputIntake(store, new OutputMarker(new JobsConfig(), log), credentialsOf(store), log, {
      outputsMaxBytes,
    } as JobsConfig);
  const take = (store: FileObjectStore) => intakeOf(store).take(provider, attempt, job, made);

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
    const stored = await intakeOf(new FileObjectStore(folder)).take(provider, attempt, several, [
      ...made,
      ...made,
      ...made,
    ]);
    expect(stored.map((output) => 'seed' in output && output.seed)).toEqual(seeds);
  });

  it('fails with a retryable error if the store has lost bytes', async () => {
    const store = new ForgetfulStore(folder);
    const problem = await intakeOf(store)
      .assertStored(await take(store))
      .catch(toCollectionProblem);
    expect(problem).toMatchObject({ code: 'storage_error', isFinal: false });
    const whole = new FileObjectStore(folder);
    await expect(intakeOf(whole).assertStored(await take(whole))).resolves.toBeUndefined();
  });

  it('deletes what it has stored if a later output is refused', async () => {
    const two = {
      ...job,
      images: [],
      plan: { loras: [], routes: [] },
      input: { ...job.input, n: 2 },
    } as unknown as JobRow;
    const outputs = [...made, () => Promise.resolve(IMAGE.subarray(0, 40))];
    const taken = intakeOf(new FileObjectStore(folder)).take(provider, attempt, two, outputs);
    await expect(taken).rejects.toMatchObject({ name: 'ImageProblem' });
    const left = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
  });

  it('fetches no more outputs at once than fit into its memory, by their size', async () => {
    const memoryOfTwo = 2 * 20 * 128 * 100;
    const intake = intakeOf(new FileObjectStore(folder), memoryOfTwo);
    let atOnce = 0;
    let most = 0;
    const fetch = async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise(setImmediate);
      atOnce -= 1;
      return IMAGE;
    };
    const jobs = Array.from({ length: 5 }, (_, fence) => ({ ...attempt, fence }));
    await Promise.all(jobs.map((claim) => intake.take(provider, claim, job, [fetch])));
    expect(most).toBe(2);
  });
});
