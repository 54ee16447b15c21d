import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CredentialReader, readEnclosedImages } from '@kinora/credentials';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ImageProblem, sniffMime } from '@kinora/images';
import { ObjectNotFound, ObjectStore, ObjectStoreUnavailable } from '@kinora/object-store';
import type { LoadedImage } from '../judging/engine';
import { sha256Of } from '../judging/sha256';
import { isMp4 } from '@kinora/videos';
import { ModerationConfig } from '../moderation.config';
import { ImageDecoder, UnreadableImage } from './image-decoder';

export interface ImagePlace {
  param: string | null;
  object_key: string;
}

/** Loads the images to judge from the object store. */
@Injectable()
export class StoredImages implements OnApplicationShutdown {
  private readonly credentials: CredentialReader;

  constructor(
    private readonly store: ObjectStore,
    private readonly decoder: ImageDecoder,
    { credentialProgram }: ModerationConfig,
  ) {
    this.credentials = new CredentialReader({}, credentialProgram);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.credentials.close();
  }

  /**
   * Loads the files, judges them and releases them. It waits until there is memory for them.
   * @throws ApiError `capacity` when a file cannot be read: unread content has not passed.
   */
  async judge<Result>(
    places: readonly ImagePlace[],
    judge: (images: LoadedImage[]) => Promise<Result>,
  ): Promise<Result> {
    const sizes = await Promise.all(places.map((place) => this.sizeOf(place)));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    return this.decoder.withFiles(bytes, async () =>
      judge(await Promise.all(places.map((place) => this.loadOne(place)))),
    );
  }

  /** Loads a file of which nothing is passed on: what its credentials enclose is neither read nor judged. */
  async withFile<Result>(place: ImagePlace, work: (file: LoadedImage) => Promise<Result>): Promise<Result> {
    return this.decoder.withFiles(await this.sizeOf(place), async () => work(await this.loadBare(place)));
  }

  private async sizeOf({ object_key }: ImagePlace): Promise<number> {
    const stat = await this.store.stat(object_key).catch(asUnreadable);
    if (!stat) throw ApiError.unavailable('An image');
    return stat.bytes;
  }

  private async loadOne({ param, object_key }: ImagePlace): Promise<LoadedImage> {
    const file = await this.loadBare({ param, object_key });
    return { ...file, enclosed: await this.readEnclosed(param, file.bytes) };
  }

  private async loadBare({ param, object_key }: ImagePlace): Promise<LoadedImage> {
    const bytes = await this.store.get(object_key).catch(asUnreadable);
    return { param, bytes, sha256: sha256Of(bytes) };
  }

  /** Credentials of an input that cannot be read go no further; in an output, their images are not judged. */
  private async readEnclosed(param: string | null, bytes: Buffer): Promise<Buffer[]> {
    const mediaType = isMp4(bytes) ? 'video/mp4' : (sniffMime(bytes) ?? '');
    const images = await readEnclosedImages(this.credentials, bytes, mediaType);
    if (images === null && param === null)
      throw new UnreadableImage(param, new ImageProblem('damaged', 'The content credentials cannot be read.'));
    return images ?? [];
  }
}

function asUnreadable(error: unknown): never {
  const unreadable = error instanceof ObjectNotFound || error instanceof ObjectStoreUnavailable;
  throw unreadable ? ApiError.unavailable('An image') : error;
}
