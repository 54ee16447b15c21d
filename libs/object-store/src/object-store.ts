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

/**
 * Where images and videos lie, under keys such as `outputs/<job id>/0.png`. An object is whole or absent, and never
 * changes: a new content gets a new key. Every method but `delete` and `stat` throws ObjectNotFound for a key without
 * an object, and every one throws ObjectStoreUnavailable when the store fails; a caller answers 503 to that.
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
}
