import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMAGE } from '@kinora/compute/fixtures';
import { FileObjectStore } from '@kinora/object-store';
import type { JobRow } from '../../job/job.entity';
import { JobInputs } from './job-inputs';

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

function jobOf(account_id: string): JobRow {
  return { account_id, images: KEYS.map((object_key) => ({ object_key })) } as unknown as JobRow;
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
    const inputs = new JobInputs(store);

    const busy = [inputs.read(jobOf('busy')), inputs.read(jobOf('busy'))];
    expect(await inputs.read(jobOf('other'))).toHaveLength(2);
    expect(store.requested).toEqual(['inputs/0.png', ...KEYS]);

    store.release();
    await Promise.all(busy);
    expect(store.requested).toEqual(['inputs/0.png', ...KEYS, 'inputs/1.png', ...KEYS]);
  });
});
