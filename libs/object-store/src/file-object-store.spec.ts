import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { FileObjectStore } from './file-object-store';
import { ObjectNotFound, ObjectStoreUnavailable } from './object-store-error';

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

  it('gives back what was put, whole and in parts', async () => {
    const bytes = randomBytes(300_000);
    await store.put('outputs/one/0.png', bytes, png);

    expect((await store.get('outputs/one/0.png')).equals(bytes)).toBe(true);
    expect(await store.stat('outputs/one/0.png')).toEqual({ bytes: 300_000, mime: 'image/png' });
    const part = await store.open('outputs/one/0.png', { start: 100_000, end: 199_999 });
    expect(part).toMatchObject({ bytes: 300_000, mime: 'image/png' });
    expect((await buffer(part.stream)).equals(bytes.subarray(100_000, 200_000))).toBe(true);
  });

  it('shows an object only when it is whole, while others read and replace it', async () => {
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

  it('has nothing under a key that was deleted, or never was, or is a folder', async () => {
    await store.put('outputs/one/0.png', randomBytes(10), png);
    await store.delete('outputs/one/0.png');
    await store.delete('outputs/one/0.png');

    for (const key of ['outputs/one/0.png', 'never.png', 'outputs/one']) {
      expect(await store.stat(key)).toBeNull();
      await expect(store.get(key)).rejects.toBeInstanceOf(ObjectNotFound);
      await expect(store.open(key)).rejects.toBeInstanceOf(ObjectNotFound);
    }
  });

  it('finishes a download whose object is deleted meanwhile', async () => {
    const bytes = randomBytes(1_000_000);
    await store.put('going.png', bytes, png);
    const { stream } = await store.open('going.png');
    await store.delete('going.png');

    expect((await buffer(stream)).equals(bytes)).toBe(true);
  });

  it.each([
    '',
    '/etc/passwd',
    '../outside.png',
    'a/../b.png',
    'a//b.png',
    'a/',
    '.incoming/x',
    'a/.hidden',
    'a\\b',
    'ä.png',
    'a b',
    'a\0.png',
    'a'.repeat(513),
  ])('refuses the key %j', async (key) => {
    await expect(store.get(key)).rejects.toBeInstanceOf(TypeError);
    await expect(store.put(key, randomBytes(1), png)).rejects.toBeInstanceOf(TypeError);
  });

  it('refuses a key that says another type than the object has', async () => {
    await expect(store.put('picture.jpeg', randomBytes(1), png)).rejects.toBeInstanceOf(TypeError);
  });

  it('says that the store is unavailable when it cannot write, and leaves nothing behind', async () => {
    // The store's folder cannot be made, because a file has its name.
    await writeFile(join(folder, 'objects'), '');

    await expect(store.put('a.png', randomBytes(10), png)).rejects.toBeInstanceOf(ObjectStoreUnavailable);
  });
});
