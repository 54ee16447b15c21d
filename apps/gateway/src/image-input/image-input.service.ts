import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { StoredImage } from '@kinora/contracts/jobs/job';
import { Egress } from '@kinora/egress';
import type { ImageFacts } from '@kinora/images';
import { ObjectStore } from '@kinora/object-store';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { BodyBudget, type BodySender } from '../http/body-budget';
import type { ImageSource } from './image-source';
import { readImages } from './read-images';

export type StoredFile = Pick<StoredImage, 'object_key'>;

/**
 * Stores the images of a request as objects and returns their facts, so that no service behind the gateway receives the
 * bytes.
 */
@Injectable()
export class ImageInput {
  constructor(
    private readonly objects: ObjectStore,
    private readonly egress: Egress,
    private readonly bodies: BodyBudget,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Stores all of the images or none. @throws ApiError invalid_body that names the invalid image; capacity */
  store(sources: ImageSource[], accountId: string): Promise<StoredImage[]> {
    return this.storeFor({ accountId }, sources);
  }

  /** The same for any sender. @throws ApiError invalid_body, capacity */
  async storeFor(sender: BodySender, sources: ImageSource[]): Promise<StoredImage[]> {
    const room = this.bodies.open(sender);
    try {
      // Fetched bytes are charged to the body budget like received ones.
      const charge = (bytes: number): void => room.charge(bytes);
      const images = await readImages(sources, { egress: this.egress, charge });
      const stored = images.map(({ bytes, facts }, index) => ({
        bytes,
        image: { ...facts, object_key: newObjectKey(facts), param: sources[index]?.param ?? 'images' },
      }));
      await this.putAll(stored);
      return stored.map(({ image }) => image);
    } finally {
      room.release();
    }
  }

  /** Stores a video as it is; moderation is the first to read it. */
  async storeVideo(bytes: Buffer): Promise<StoredFile> {
    const object_key = `inputs/${randomUUID()}.mp4`;
    await this.objects.put(object_key, bytes, { mime: 'video/mp4' });
    return { object_key };
  }

  /** Deletes files that no job refers to. A leftover file only costs space, so a failure is only logged. */
  async discard(images: StoredFile[]): Promise<void> {
    for (const { object_key: objectKey } of images) {
      await this.objects.delete(objectKey).catch((error: unknown) => {
        this.logger.warn({ object_key: objectKey, reason: String(error) }, 'input_not_deleted');
      });
    }
  }

  private async putAll(images: { bytes: Buffer; image: StoredImage }[]): Promise<void> {
    const puts = await Promise.allSettled(
      images.map(({ bytes, image: { object_key: key, mime } }) => this.objects.put(key, bytes, { mime })),
    );
    const failed = puts.find((put) => put.status === 'rejected');
    if (!failed) return;
    await this.discard(images.map(({ image }) => image));
    throw failed.reason;
  }
}

/** A random key cannot be guessed, so inputs can share the store with outputs. */
function newObjectKey({ mime }: ImageFacts): string {
  return `inputs/${randomUUID()}.${mime.slice('image/'.length)}`;
}
