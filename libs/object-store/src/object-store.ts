import { extname } from 'node:path';
import type { Readable } from 'node:stream';

export interface ObjectStat {
  bytes: number;
  mime: string;
}

/** Both ends belong to the range, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The caller must read the stream to its end or destroy it; otherwise the object stays open. */
export interface OpenedObject extends ObjectStat {
  stream: Readable;
}

export interface ListedObject {
  key: string;
  bytes: number;
  /** By the clock of the store. */
  storedAt: Date;
}

export interface ListedPage {
  objects: ListedObject[];
  /** The key after which the next page begins; null if there are no more. */
  next: string | null;
}

const DELETIONS_AT_ONCE = 16;

/**
 * Where images and videos are stored, under keys such as `outputs/<job id>/<name>.png`. An object is complete or
 * absent, and never changes: new content gets a new key. `get` and `open` throw ObjectNotFound for a key without an
 * object. Every method throws ObjectStoreUnavailable when the store fails; a caller answers 503 to that.
 */
export abstract class ObjectStore {
  /** Resolves when the object survives a power cut. The key's extension must match `mime`. */
  abstract put(key: string, bytes: Buffer, meta: { mime: string }): Promise<void>;

  abstract get(key: string): Promise<Buffer>;

  /** The object, or a part of it; `bytes` is the size of the whole in either case. */
  abstract open(key: string, range?: ByteRange): Promise<OpenedObject>;

  abstract stat(key: string): Promise<ObjectStat | null>;

  /** Deleting a key without an object succeeds. */
  abstract delete(key: string): Promise<void>;

  /**
   * All objects of a folder and its subfolders, in pages of at most `pageSize` and in no defined order. Objects that
   * are put or deleted meanwhile may or may not be included.
   */
  abstract list(folder: string, pageSize?: number): AsyncGenerator<ListedObject[]>;

  /**
   * The next objects of a folder after a key, at most `limit`, in an order that never changes: a walk through the
   * folder may stop anywhere and continue in another process.
   */
  abstract listAfter(folder: string, after: string | null, limit: number): Promise<ListedPage>;

  /**
   * Removes the incomplete files of puts that died more than an hour ago, which have no key. @returns how many there
   * were.
   */
  abstract deleteUnfinished(): Promise<number>;

  /**
   * Deletes with bounded concurrency: not a thousand connections at once, nor a thousand round trips in sequence. Every
   * key is tried, even if others fail. It sends one request per key, because every second S3 implementation refuses
   * S3's bulk delete or requires other headers for it.
   */
  async deleteMany(keys: readonly string[]): Promise<void> {
    let failure: PromiseRejectedResult | undefined;
    for (let start = 0; start < keys.length; start += DELETIONS_AT_ONCE) {
      const batch = keys.slice(start, start + DELETIONS_AT_ONCE);
      const outcomes = await Promise.allSettled(batch.map((key) => this.delete(key)));
      failure ??= outcomes.find((outcome) => outcome.status === 'rejected');
    }
    if (failure) throw failure.reason;
  }
}

const MAX_KEY_CHARS = 512;

/** Folders and a name; none begins with a dot, which excludes `..` and hidden files. */
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Keys need no escaping in a path or a URL, and mean the same in a file system and in S3. */
export function isObjectKey(text: string): boolean {
  return text.length <= MAX_KEY_CHARS && KEY.test(text);
}

export function assertObjectKey(key: string): void {
  // The message does not contain the key, which may come from a request.
  if (!isObjectKey(key)) throw new TypeError('This is not an object key.');
}

export function inFolder(folder: string): string {
  assertObjectKey(folder);
  return `${folder}/`;
}

const MIME_BY_EXTENSION: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
};

const MIME_OF_ANYTHING = 'application/octet-stream';

/** A file system stores no MIME type with a file, so the key's extension defines it. */
export function mimeOf(key: string): string {
  return MIME_BY_EXTENSION[extname(key)] ?? MIME_OF_ANYTHING;
}

/**
 * Only the file system needs this, but every store checks it; otherwise another driver could serve an object under a
 * different type.
 */
export function assertMimeOfKey(key: string, mime: string): void {
  if (mimeOf(key) !== mime) throw new TypeError(`An object of type ${mime} needs a key with its extension.`);
}

/** No object exists under the key. */
export class ObjectNotFound extends Error {
  override readonly name = 'ObjectNotFound';

  constructor(
    readonly key: string,
    options?: ErrorOptions,
  ) {
    super('There is no such object.', options);
  }
}

/** The store itself failed: full, unreachable, or access denied. A retry may succeed. */
export class ObjectStoreUnavailable extends Error {
  override readonly name = 'ObjectStoreUnavailable';

  constructor(options: ErrorOptions) {
    super('The object store is not available.', options);
  }
}
