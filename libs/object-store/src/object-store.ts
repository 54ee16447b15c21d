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

/** Whoever opens an object reads its stream to the end or destroys it; otherwise it stays open. */
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
  /** Behind which key to go on; null where there are no more. */
  next: string | null;
}

/** Deletions under way at once for one call. */
const DELETIONS_AT_ONCE = 16;

/**
 * Where images and videos lie, under keys such as `outputs/<job id>/<name>.png`. An object is whole or absent, and never
 * changes: a new content gets a new key. `get` and `open` throw ObjectNotFound for a key without an object, and every
 * method throws ObjectStoreUnavailable when the store fails; a caller answers 503 to that.
 */
export abstract class ObjectStore {
  /** Resolves when the object outlives a power cut. The key's extension must say the same as `mime`. */
  abstract put(key: string, bytes: Buffer, meta: { mime: string }): Promise<void>;

  abstract get(key: string): Promise<Buffer>;

  /** The object, or a part of it; `bytes` is the size of the whole in either case. */
  abstract open(key: string, range?: ByteRange): Promise<OpenedObject>;

  abstract stat(key: string): Promise<ObjectStat | null>;

  /** Deleting what is not there succeeds. */
  abstract delete(key: string): Promise<void>;

  /**
   * All objects of a folder and of those in it, in pages of at most `pageSize` and in no promised order. What is put or
   * deleted meanwhile may or may not be among them.
   */
  abstract list(folder: string, pageSize?: number): AsyncGenerator<ListedObject[]>;

  /**
   * The next objects of a folder behind a key, at most so many, in an order of the store's own that never changes: a walk
   * through the folder may stop anywhere and go on in another process.
   */
  abstract listAfter(folder: string, after: string | null, limit: number): Promise<ListedPage>;

  /** Removes what puts that died more than an hour ago left behind, which no key names. @returns how many there were. */
  abstract deleteUnfinished(): Promise<number>;

  /**
   * Deletes a few at once, so that neither a thousand connections are opened nor a thousand round trips awaited. Every key is
   * tried, whatever becomes of the others. One request a key, since what S3 offers for many at once is refused, or wants
   * other headers, at every second implementation of it.
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
