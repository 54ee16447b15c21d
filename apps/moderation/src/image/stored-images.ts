import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ObjectNotFound, ObjectStore, ObjectStoreUnavailable } from '@kinora/object-store';
import type { LoadedImage } from '../judging/engine';
import { sha256Of } from '../judging/sha256';
import { ImageDecoder } from './image-decoder';

export interface ImagePlace {
  param: string | null;
  object_key: string;
}

/** Loads the images to judge from the object store. */
@Injectable()
export class StoredImages {
  constructor(
    private readonly store: ObjectStore,
    private readonly decoder: ImageDecoder,
  ) {}

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

  private async sizeOf({ object_key }: ImagePlace): Promise<number> {
    const stat = await this.store.stat(object_key).catch(asUnreadable);
    if (!stat) throw ApiError.unavailable('An image');
    return stat.bytes;
  }

  private async loadOne({ param, object_key }: ImagePlace): Promise<LoadedImage> {
    const bytes = await this.store.get(object_key).catch(asUnreadable);
    return { param, bytes, sha256: sha256Of(bytes) };
  }
}

function asUnreadable(error: unknown): never {
  const unreadable = error instanceof ObjectNotFound || error instanceof ObjectStoreUnavailable;
  throw unreadable ? ApiError.unavailable('An image') : error;
}
