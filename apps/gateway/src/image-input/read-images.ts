import { remainingMs } from '@kinora/bus';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type ImageFacts, ImageProblem, decodeDataUri, inspectImage } from '@kinora/images';
import { type FairSemaphore, SemaphoreTimeout } from '@kinora/service-kit';
import { type ImageSource, isRemote } from './image-source';
import { type ImageFetching, fetchImage, remoteRefusal } from './remote-image';

export interface ReadImage {
  bytes: Buffer;
  facts: ImageFacts;
}

/** Fetches or decodes the images of a request, and inspects each one. @throws ApiError invalid_body, capacity */
export async function readImages(
  sources: ImageSource[],
  accountId: string,
  { decodes, ...fetching }: ImageFetching & { decodes: FairSemaphore },
): Promise<ReadImage[]> {
  const fetched = new Map<string, Promise<Buffer>>();
  const contents = await Promise.allSettled(sources.map((source) => bytesOf(source, fetching, fetched)));
  const inspectAll = async (): Promise<ReadImage[]> => {
    const images: ReadImage[] = [];
    // Images are decoded one after another, because each takes tens of megabytes and a CPU core. The first invalid one is
    // named.
    for (const source of sources) {
      const content = contents[images.length];
      if (content?.status !== 'fulfilled') throw content?.reason as Error;
      images.push({ bytes: content.value, facts: await inspect(content.value, source) });
    }
    return images;
  };
  // One permit covers all images of a request. With a permit per image, concurrent requests would all finish late
  // together.
  return decodes.run(accountId, inspectAll, { timeoutMs: remainingMs() }).catch((error: unknown) => {
    throw error instanceof SemaphoreTimeout ? ApiError.unavailable('The check of images') : error;
  });
}

/** Fetches remote images, each URL once. */
async function bytesOf(
  source: ImageSource,
  fetching: ImageFetching,
  fetched: Map<string, Promise<Buffer>>,
): Promise<Buffer> {
  if (isRemote(source)) {
    const image = fetched.get(source.content) ?? fetchImage(source, fetching);
    fetched.set(source.content, image);
    return image;
  }
  const { content } = source;
  if (typeof content !== 'string') return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  try {
    return decodeDataUri(content);
  } catch (error) {
    throw toRefusal(error, source);
  }
}

/** Decodes the image unless the deadline of the request has passed. */
async function inspect(bytes: Buffer, source: ImageSource): Promise<ImageFacts> {
  if ((remainingMs() ?? 1) <= 0) throw new SemaphoreTimeout();
  try {
    return await inspectImage(bytes);
  } catch (error) {
    throw toRefusal(error, source);
  }
}

function toRefusal(error: unknown, source: ImageSource): unknown {
  if (!(error instanceof ImageProblem)) return error;
  if (isRemote(source)) return remoteRefusal(source, 'not an image');
  const { param } = source;
  return new ApiError('invalid_body', `${param}: ${error.message}`, { param });
}
