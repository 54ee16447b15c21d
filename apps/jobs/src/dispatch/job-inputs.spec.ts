import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMAGE } from '@kinora/compute/fixtures';
import { ImageProblem, sanitizeImage } from '@kinora/images';
import { FileObjectStore } from '@kinora/object-store';
import { TYPESCRIPT_ARGUMENTS } from '@kinora/testing';
import type { JobRow } from '../job/job.entity';
import { JobsConfig } from '../jobs.config';
import { JobInputs, LARGE_INPUTS } from './job-inputs';

const KEYS = ['inputs/0.png', 'inputs/1.png'];

/** Blocks the first read until the spec releases it. */
class HeldStore extends FileObjectStore {
  readonly requested: string[] = [];
  release: () => void = () => undefined;
  private readonly isReleased = new Promise<void>((resolve) => (this.release = resolve));

  override async get(key: string): Promise<Buffer> {
    this.requested.push(key);
    if (this.requested.length === 1) await this.isReleased;
    return super.get(key);
  }
}

const SMALL = { width: 64, height: 64 };
const CONFIG = Object.assign(new JobsConfig(), { largeInputs: { ...LARGE_INPUTS, execArgv: TYPESCRIPT_ARGUMENTS } });

function jobOf(account_id: string, keys = KEYS, size = SMALL): JobRow {
  return { account_id, images: keys.map((object_key) => ({ object_key, ...size })) } as unknown as JobRow;
}

describe('inputs of jobs', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kinora-job-inputs-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are read one after another for one account, while another account waits for none of them', async () => {
    const store = new HeldStore(folder);
    for (const key of KEYS) await store.put(key, IMAGE, { mime: 'image/png' });
    const inputs = new JobInputs(store, CONFIG);

    const busy = [inputs.read(jobOf('busy')), inputs.read(jobOf('busy'))];
    expect(await inputs.read(jobOf('other'))).toHaveLength(2);
    expect(store.requested).toEqual(['inputs/0.png', ...KEYS]);

    store.release();
    await Promise.all(busy);
    expect(store.requested).toEqual(['inputs/0.png', ...KEYS, 'inputs/1.png', ...KEYS]);
  });

  it.each([
    ['of up to 1,048,576 pixels are read as they are', 1_024, false],
    ['of more pixels are read in a process of their own', 1_032, true],
  ])('%s', async (_, width, inBackground) => {
    const store = new FileObjectStore(folder);
    // The size in the row decides.
    const size = { width, height: 1_024 };
    await store.put('inputs/large.png', IMAGE, { mime: 'image/png' });
    const inputs = new JobInputs(store, CONFIG);
    expect(await inputs.read(jobOf('one', ['inputs/large.png'], size))).toEqual([(await sanitizeImage(IMAGE)).bytes]);
    expect(inputs.backgroundPid !== undefined).toBe(inBackground);
    inputs.onApplicationShutdown();
  });

  it('name the problem of a large image that cannot be decoded', async () => {
    const store = new FileObjectStore(folder);
    await store.put('inputs/damaged.png', Buffer.from('no image'), { mime: 'image/png' });
    const inputs = new JobInputs(store, CONFIG);
    const job = jobOf('one', ['inputs/damaged.png'], { width: 4_096, height: 4_096 });
    await expect(inputs.read(job)).rejects.toBeInstanceOf(ImageProblem);
    inputs.onApplicationShutdown();
  });
});
