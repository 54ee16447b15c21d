import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { StoredImage } from '@kinora/contracts/jobs/job-inputs';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type ImageFacts, ImageProblem, decodeDataUri, inspectImage } from '@kinora/images';
import { ObjectStore } from '@kinora/object-store';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { ImageSource } from './image-source';

interface ReadImage {
  bytes: Buffer;
  facts: ImageFacts;
}

/** Turns the images of a request into objects of the store and what is known of them; the bytes travel no further. */
@Injectable()
export class ImageInput {
  constructor(
    private readonly objects: ObjectStore,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Stores all of the images or none. @throws ApiError invalid_body that names the image which is none */
  async store(sources: ImageSource[]): Promise<StoredImage[]> {
    const images: ReadImage[] = [];
    // One after another: decoding takes tens of megabytes and a processor for each.
    for (const source of sources) images.push(await readImage(source));
    const stored = images.map(({ facts }) => ({ ...facts, object_key: newObjectKey(facts) }));
    try {
      await Promise.all(images.map(({ bytes }, index) => this.put(stored[index], bytes)));
    } catch (error) {
      await this.discard(stored);
      throw error;
    }
    return stored;
  }

  /** Deletes images that no job refers to. What stays behind costs space and nothing else, so a failure is only logged. */
  async discard(images: StoredImage[]): Promise<void> {
    for (const { object_key: objectKey } of images) {
      await this.objects.delete(objectKey).catch((error: unknown) => {
        this.logger.warn({ object_key: objectKey, reason: String(error) }, 'input_not_deleted');
      });
    }
  }

  private async put(image: StoredImage | undefined, bytes: Buffer): Promise<void> {
    if (image) await this.objects.put(image.object_key, bytes, { mime: image.mime });
  }
}

async function readImage({ param, content }: ImageSource): Promise<ReadImage> {
  try {
    const bytes = typeof content === 'string' ? decodeDataUri(content) : asBuffer(content);
    return { bytes, facts: await inspectImage(bytes) };
  } catch (error) {
    if (!(error instanceof ImageProblem)) throw error;
    throw new ApiError('invalid_body', `${param}: ${error.message}`, { param });
  }
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Cannot be guessed, so that it is no secret that inputs lie beside outputs. */
function newObjectKey({ mime }: ImageFacts): string {
  return `inputs/${randomUUID()}.${mime.slice('image/'.length)}`;
}
