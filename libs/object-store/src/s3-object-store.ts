import { type Readable, addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type _Object,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
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
import type { ObjectStoreConfig } from './object-store.config';
import { type S3Place, createS3Client, placeOf } from './s3-download-links';

/** For one call with its retries; a store that takes longer counts as unavailable. */
const CALL_TIMEOUT_MS = 20_000;
/** The most keys that S3 returns in one answer. */
const MAX_PAGE_SIZE = 1_000;

export class S3ObjectStore extends ObjectStore {
  private readonly client: S3Client;
  private readonly place: S3Place;

  constructor(config: ObjectStoreConfig) {
    super();
    this.client = createS3Client(config);
    this.place = placeOf(config);
  }

  async put(key: string, bytes: Buffer, { mime }: { mime: string }): Promise<void> {
    assertMimeOfKey(key, mime);
    const command = new PutObjectCommand({ ...this.at(key), Body: bytes, ContentType: mime });
    await this.reach(key, (options) => this.client.send(command, options));
  }

  async get(key: string): Promise<Buffer> {
    return this.reach(key, async (options) => {
      const { Body } = await this.client.send(new GetObjectCommand(this.at(key)), options);
      return buffer(addAbortSignal(options.abortSignal, Body as Readable));
    });
  }

  async open(key: string, range?: ByteRange): Promise<OpenedObject> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    return this.reach(key, async () => {
      // No time limit: it would cut off the stream of a slow reader.
      const { Body, ContentLength, ContentRange } = await this.client.send(
        new GetObjectCommand({ ...this.at(key), ...(Range !== undefined && { Range }) }),
      );
      // For a range, ContentLength is the length of the part; the size of the whole follows the slash in ContentRange.
      const bytes = Number(ContentRange?.split('/')[1] ?? ContentLength);
      return { stream: Body as Readable, bytes, mime: mimeOf(key) };
    });
  }

  async stat(key: string): Promise<ObjectStat | null> {
    try {
      return await this.reach(key, async (options) => {
        const { ContentLength = 0 } = await this.client.send(new HeadObjectCommand(this.at(key)), options);
        return { bytes: ContentLength, mime: mimeOf(key) };
      });
    } catch (error) {
      if (error instanceof ObjectNotFound) return null;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await this.reach(key, (options) => this.client.send(new DeleteObjectCommand(this.at(key)), options));
  }

  async *list(folder: string, pageSize = MAX_PAGE_SIZE): AsyncGenerator<ListedObject[]> {
    const { bucket: Bucket, keyPrefix } = this.place;
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket,
        Prefix: `${keyPrefix}${inFolder(folder)}`,
        MaxKeys: Math.min(pageSize, MAX_PAGE_SIZE),
        ContinuationToken: token,
      });
      const page = await this.reach(folder, (options) => this.client.send(command, options));
      yield this.toListed(page.Contents);
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  async listAfter(folder: string, after: string | null, limit: number): Promise<ListedPage> {
    const { bucket: Bucket, keyPrefix } = this.place;
    const command = new ListObjectsV2Command({
      Bucket,
      Prefix: `${keyPrefix}${inFolder(folder)}`,
      MaxKeys: Math.min(limit, MAX_PAGE_SIZE),
      ...(after !== null && { StartAfter: `${keyPrefix}${after}` }),
    });
    const page = await this.reach(folder, (options) => this.client.send(command, options));
    const objects = this.toListed(page.Contents);
    return { objects, next: page.IsTruncated ? (objects.at(-1)?.key ?? null) : null };
  }

  /** A put is a single request, which S3 stores completely or not at all. */
  deleteUnfinished(): Promise<number> {
    return Promise.resolve(0);
  }

  private toListed(contents: _Object[] = []): ListedObject[] {
    return contents.map(({ Key = '', Size = 0, LastModified = new Date() }) => ({
      key: Key.slice(this.place.keyPrefix.length),
      bytes: Size,
      storedAt: LastModified,
    }));
  }

  private at(key: string): { Bucket: string; Key: string } {
    assertObjectKey(key);
    return { Bucket: this.place.bucket, Key: `${this.place.keyPrefix}${key}` };
  }

  /** Maps the errors of S3 to those of the port. */
  private async reach<T>(key: string, work: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    try {
      return await work({ abortSignal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
    } catch (cause) {
      // A missing bucket is also a 404, but must not count as a missing object.
      const isAbsent = cause instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(cause.name);
      if (isAbsent) throw new ObjectNotFound(key, { cause });
      if (cause instanceof TypeError) throw cause;
      throw new ObjectStoreUnavailable({ cause });
    }
  }
}
