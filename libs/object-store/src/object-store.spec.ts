import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { loadConfig } from '@kinora/service-kit';
import { TestS3 } from '@kinora/testing';
import { type ListedObject, type ListedPage, ObjectNotFound, type ObjectStore } from './object-store';
import { ObjectStoreConfig } from './object-store.config';
import { createObjectStore } from './object-store.module';

const png = { mime: 'image/png' };

interface OpenedStore {
  store: ObjectStore;
  close: () => Promise<void>;
}

const DRIVERS: [driver: string, open: () => Promise<OpenedStore>][] = [
  [
    'the file system',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'object-store-'));
      const config = loadConfig(ObjectStoreConfig, { KINORA_OBJECT_STORE_DIR: join(folder, 'objects') });
      return { store: await createObjectStore(config), close: () => rm(folder, { recursive: true }) };
    },
  ],
  [
    'S3',
    async () => {
      const s3 = await TestS3.start();
      const config = loadConfig(ObjectStoreConfig, { ...s3.settings, KINORA_S3_PREFIX: 'an/installation' });
      return { store: await createObjectStore(config), close: () => s3.close() };
    },
  ],
];

describe.each(DRIVERS)('an object store on %s', (_, open) => {
  let store: ObjectStore;
  let close: OpenedStore['close'];

  beforeAll(async () => {
    ({ store, close } = await open());
  });
  afterAll(() => close());

  const put = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await store.put(key, Buffer.from(key), png);
  };
  const listed = async (folder: string, pageSize?: number): Promise<string[][]> => {
    const pages: string[][] = [];
    for await (const page of store.list(folder, pageSize)) pages.push(page.map(({ key }) => key));
    return pages;
  };
  const keysIn = async (folder: string): Promise<string[]> => (await listed(folder)).flat().sort();

  it('returns what was put, whole and in parts', async () => {
    const bytes = randomBytes(300_000);
    await store.put('outputs/one/0.png', bytes, png);
    expect((await store.get('outputs/one/0.png')).equals(bytes)).toBe(true);
    expect(await store.stat('outputs/one/0.png')).toEqual({ bytes: 300_000, mime: 'image/png' });
    const whole = await store.open('outputs/one/0.png');
    expect(whole).toMatchObject({ bytes: 300_000, mime: 'image/png' });
    expect((await buffer(whole.stream)).equals(bytes)).toBe(true);
    const part = await store.open('outputs/one/0.png', { start: 100_000, end: 199_999 });
    expect(part).toMatchObject({ bytes: 300_000, mime: 'image/png' });
    expect((await buffer(part.stream)).equals(bytes.subarray(100_000, 200_000))).toBe(true);
  });

  it('has nothing under a key that was deleted, never existed, or is a folder', async () => {
    await put('gone/one/0.png');
    await store.delete('gone/one/0.png');
    await store.delete('gone/one/0.png');
    for (const key of ['gone/one/0.png', 'never.png', 'gone/one']) {
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

  it('lists a folder with everything below it and nothing else', async () => {
    const before = Date.now();
    await put('listed/a.png', 'listed/one/b.png', 'listed/one/more/c.png', 'listed-not/d.png', 'listed.png');
    expect(await keysIn('listed')).toEqual(['listed/a.png', 'listed/one/b.png', 'listed/one/more/c.png']);
    expect(await keysIn('listed/one')).toEqual(['listed/one/b.png', 'listed/one/more/c.png']);
    expect(await keysIn('nowhere')).toEqual([]);
    const objects: ListedObject[] = [];
    for await (const page of store.list('listed/one/more')) objects.push(...page);
    expect(objects).toMatchObject([{ key: 'listed/one/more/c.png', bytes: 21 }]);
    // S3 reports whole seconds only.
    expect(objects[0]?.storedAt.getTime()).toBeGreaterThanOrEqual(before - 1_000);
  });

  it('lists the keys after any key, even if that object has been deleted meanwhile', async () => {
    const names = ['a/1.png', 'a/2.png', 'a/more/3.png', 'b/1.png', 'c/1.png', 'd.png', 'e.png'];
    await put(...names.map((name) => `walked/${name}`), 'walked-not/d.png');
    const keys: string[] = [];
    let calls = 0;
    for (let after: string | null = null; after !== null || calls === 0; calls++) {
      const page: ListedPage = await store.listAfter('walked', after, 2);
      expect(page.objects.length).toBeLessThanOrEqual(2);
      keys.push(...page.objects.map(({ key }) => key));
      for (const { key } of page.objects) await store.delete(key);
      after = page.next;
    }
    expect(keys.sort()).toEqual(names.map((name) => `walked/${name}`).sort());
    expect(calls).toBeGreaterThan(3);
    expect(await store.listAfter('walked', null, 2)).toEqual({ objects: [], next: null });
  });

  it('lists in pages, each object once', async () => {
    const keys = Array.from({ length: 7 }, (_, index) => `paged/${index}.png`);
    await put(...keys);
    const pages = await listed('paged', 3);
    expect(pages.every((page) => page.length <= 3)).toBe(true);
    expect(pages.flat().sort()).toEqual(keys);
  });

  it('deletes many, existing or not, and no others', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `many/${index}.png`);
    await put(...keys, 'many/kept.png');
    await store.deleteMany([...keys, 'many/never.png']);
    expect(await keysIn('many')).toEqual(['many/kept.png']);
  });

  it.each([
    '',
    '/etc/passwd',
    '../outside.png',
    'a/../b.png',
    'a//b.png',
    '.incoming/x',
    'a/.hidden',
    'a\\b',
    'a\0.png',
  ])('refuses the key %j', async (key) => {
    await expect(store.get(key)).rejects.toBeInstanceOf(TypeError);
    await expect(store.delete(key)).rejects.toBeInstanceOf(TypeError);
    await expect(store.put(key, randomBytes(1), png)).rejects.toBeInstanceOf(TypeError);
    await expect(store.list(key).next()).rejects.toBeInstanceOf(TypeError);
  });

  it('refuses a key whose extension does not match the type of the object', async () => {
    await expect(store.put('picture.jpeg', randomBytes(1), png)).rejects.toBeInstanceOf(TypeError);
  });
});
