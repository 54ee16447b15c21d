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

/** The images of a request, wherever they are, each decoded once to know it. @throws ApiError invalid_body, capacity */
export async function readImages(
  sources: ImageSource[],
  accountId: string,
  { decodes, ...fetching }: ImageFetching & { decodes: FairSemaphore },
): Promise<ReadImage[]> {
  const fetched = new Map<string, Promise<Buffer>>();
  const contents = await Promise.allSettled(sources.map((source) => bytesOf(source, fetching, fetched)));
  const inspectAll = async (): Promise<ReadImage[]> => {
    const images: ReadImage[] = [];
    // One after another: decoding takes tens of megabytes and a processor for each. The first that fails is named.
    for (const source of sources) {
      const content = contents[images.length];
      if (content?.status !== 'fulfilled') throw content?.reason as Error;
      images.push({ bytes: content.value, facts: await inspect(content.value, source) });
    }
    return images;
  };
  // A request keeps its turn for all of its images: shared out image by image, all requests would end late together.
  return decodes.run(accountId, inspectAll, { timeoutMs: remainingMs() }).catch((error: unknown) => {
    throw error instanceof SemaphoreTimeout ? ApiError.unavailable('The check of images') : error;
  });
}

/** Fetches what lies elsewhere, each address once. */
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

/** No decode is begun for a caller who has given up. */
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
