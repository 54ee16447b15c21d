import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ObjectNotFound, ObjectStore, ObjectStoreUnavailable } from '@kinora/object-store';
import type { LoadedImage } from '../gate/engine';
import { sha256Of } from '../gate/sha256';

export interface ImagePlace {
  param: string | null;
  object_key: string;
}

/** The images to judge, as they lie in the object store. */
@Injectable()
export class StoredImages {
  constructor(private readonly store: ObjectStore) {}

  /** @throws ApiError `capacity` when one cannot be read: what nobody saw has not passed. */
  load(places: readonly ImagePlace[]): Promise<LoadedImage[]> {
    return Promise.all(places.map((place) => this.loadOne(place)));
  }

  private async loadOne({ param, object_key }: ImagePlace): Promise<LoadedImage> {
    try {
      const bytes = await this.store.get(object_key);
      return { param, bytes, sha256: sha256Of(bytes) };
    } catch (error) {
      const unreadable = error instanceof ObjectNotFound || error instanceof ObjectStoreUnavailable;
      throw unreadable ? ApiError.unavailable('An image') : error;
    }
  }
}
