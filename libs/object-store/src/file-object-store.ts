import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { filesAfter, filesBelow } from './files-after';
import {
  assertMimeOfKey,
  assertObjectKey,
  type ByteRange,
  inFolder,
  type ListedObject,
  type ListedPage,
  mimeOf,
  ObjectNotFound,
  type ObjectStat,
  ObjectStore,
  ObjectStoreUnavailable,
  type OpenedObject,
} from './object-store';

/** No key can begin with a dot, so an incomplete file never has a valid key. */
const INCOMING_FOLDER = '.incoming';

/** A put takes seconds; after this time its process must have died. */
const UNFINISHED_AFTER_MS = 60 * 60 * 1_000;

const PAGE_SIZE = 1_000;

const ABSENT = new Set<unknown>(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** Objects as plain files below one folder, which several processes of a machine may share. */
export class FileObjectStore extends ObjectStore {
  private readonly root: string;

  constructor(folder: string) {
    super();
    this.root = resolve(folder);
  }

  async put(key: string, bytes: Buffer, { mime }: { mime: string }): Promise<void> {
    const path = this.pathOf(key);
    assertMimeOfKey(key, mime);
    try {
      await this.write(path, bytes);
    } catch (cause) {
      throw new ObjectStoreUnavailable({ cause });
    }
  }

  async get(key: string): Promise<Buffer> {
    const path = this.pathOf(key);
    return this.reach(key, () => readFile(path));
  }

  async open(key: string, range?: ByteRange): Promise<OpenedObject> {
    const path = this.pathOf(key);
    return this.reach(key, async () => {
      const file = await open(path, 'r');
      const stats = await file.stat();
      if (!stats.isFile()) {
        await file.close();
        throw new ObjectNotFound(key);
      }
      return { stream: file.createReadStream(range ?? {}), bytes: stats.size, mime: mimeOf(key) };
    });
  }

  async stat(key: string): Promise<ObjectStat | null> {
    const path = this.pathOf(key);
    const stats = await orNull(this.reach(key, () => stat(path)));
    return stats?.isFile() ? { bytes: stats.size, mime: mimeOf(key) } : null;
  }

  async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    await orNull(this.reach(key, () => unlink(path)));
    // A folder is removed with its last file. A concurrent put into that folder fails and is retried.
    const folder = dirname(path);
    if (dirname(folder) !== this.root && folder !== this.root) await rmdir(folder).catch(() => undefined);
  }

  async *list(folder: string, pageSize = PAGE_SIZE): AsyncGenerator<ListedObject[]> {
    inFolder(folder);
    let page: ListedObject[] = [];
    try {
      for await (const { name, bytes, modifiedAt } of filesBelow(join(this.root, folder))) {
        page.push({ key: `${folder}/${name}`, bytes, storedAt: modifiedAt });
        if (page.length < pageSize) continue;
        yield page;
        page = [];
      }
    } catch (cause) {
      throw new ObjectStoreUnavailable({ cause });
    }
    yield page;
  }

  async listAfter(folder: string, after: string | null, limit: number): Promise<ListedPage> {
    const prefix = inFolder(folder);
    try {
      const found = await filesAfter(join(this.root, folder), after?.slice(prefix.length) ?? null, limit);
      const objects = found.map(({ name, bytes, modifiedAt }) => ({
        key: `${prefix}${name}`,
        bytes,
        storedAt: modifiedAt,
      }));
      return { objects, next: objects.length === limit ? (objects.at(-1)?.key ?? null) : null };
    } catch (cause) {
      throw new ObjectStoreUnavailable({ cause });
    }
  }

  async deleteUnfinished(): Promise<number> {
    const incoming = join(this.root, INCOMING_FOLDER);
    let deleted = 0;
    try {
      for await (const { name, modifiedAt } of filesBelow(incoming)) {
        if (Date.now() - modifiedAt.getTime() < UNFINISHED_AFTER_MS) continue;
        await rm(join(incoming, name), { force: true });
        deleted += 1;
      }
    } catch (cause) {
      throw new ObjectStoreUnavailable({ cause });
    }
    return deleted;
  }

  private pathOf(key: string): string {
    assertObjectKey(key);
    return join(this.root, key);
  }

  /** Maps the errors of the file system to those of the port. */
  private async reach<T>(key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof ObjectNotFound) throw cause;
      if (ABSENT.has(codeOf(cause))) throw new ObjectNotFound(key, { cause });
      throw new ObjectStoreUnavailable({ cause });
    }
  }

  private async write(path: string, bytes: Buffer): Promise<void> {
    const incoming = join(this.root, INCOMING_FOLDER, randomUUID());
    await mkdir(dirname(incoming), { recursive: true });
    try {
      await writeDurably(incoming, bytes);
      await mkdir(dirname(path), { recursive: true });
      await rename(incoming, path);
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
    await this.syncFoldersOf(path);
  }

  /** After a power cut, a name is lost if its folder was not synced; a new folder is itself a name in its parent. */
  private async syncFoldersOf(path: string): Promise<void> {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      await withFile(folder, 'r', (handle) => handle.sync());
      if (folder === this.root) return;
    }
  }
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  await withFile(path, 'wx', async (handle) => {
    await handle.writeFile(bytes);
    await handle.datasync();
  });
}

async function withFile(path: string, flags: string, work: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, flags);
  try {
    await work(handle);
  } finally {
    await handle.close();
  }
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ObjectNotFound) return null;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
