import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectStore } from './file-object-store';
import { ObjectStoreUnavailable } from './object-store';

const png = { mime: 'image/png' };

describe('file object store', () => {
  let folder: string;
  let store: FileObjectStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'object-store-'));
    store = new FileObjectStore(join(folder, 'objects'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('makes an object visible only when it is complete, while others read and replace it', async () => {
    const contents = [Buffer.alloc(2_000_000, 'a'), Buffer.alloc(2_000_000, 'b')];
    await store.put('same.png', Buffer.alloc(2_000_000, 'a'), png);
    const writes = Promise.all(
      contents.flatMap((bytes) => Array.from({ length: 5 }, () => store.put('same.png', bytes, png))),
    );
    const reads = await Promise.all(Array.from({ length: 20 }, () => store.get('same.png')));
    await writes;
    expect(reads.every((read) => contents.some((bytes) => bytes.equals(read)))).toBe(true);
    expect(await readdir(join(folder, 'objects', '.incoming'))).toEqual([]);
  });

  it('removes a folder together with its last object', async () => {
    await store.put('outputs/one/0.png', randomBytes(10), png);
    await store.put('outputs/one/1.png', randomBytes(10), png);
    await store.delete('outputs/one/0.png');
    expect(await readdir(join(folder, 'objects/outputs'))).toEqual(['one']);
    await store.delete('outputs/one/1.png');
    expect(await readdir(join(folder, 'objects'))).toContain('outputs');
    expect(await readdir(join(folder, 'objects/outputs'))).toEqual([]);
  });

  it('removes incomplete files of dead processes, and none that may still be written', async () => {
    await store.put('whole.png', randomBytes(10), png);
    const incoming = join(folder, 'objects/.incoming');
    await Promise.all(['dead', 'alive'].map((name) => writeFile(join(incoming, name), 'half')));
    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1_000);
    await utimes(join(incoming, 'dead'), longAgo, longAgo);
    expect(await store.deleteUnfinished()).toBe(1);
    expect(await readdir(incoming)).toEqual(['alive']);
    expect(await store.stat('whole.png')).not.toBeNull();
  });

  it('reports the store as unavailable when it cannot write, and leaves nothing behind', async () => {
    // The store's folder cannot be created, because a file has its name.
    await writeFile(join(folder, 'objects'), '');
    await expect(store.put('a.png', randomBytes(10), png)).rejects.toBeInstanceOf(ObjectStoreUnavailable);
  });
});
