import { ApiError } from '@kinora/contracts/shared/errors';
import { type ImageFacts, ImageProblem, decodeDataUri, readImageFacts } from '@kinora/images';
import { type ImageSource, isRemote } from './image-source';
import { type ImageFetching, fetchImage, remoteRefusal } from './remote-image';

export interface ReadImage {
  bytes: Buffer;
  facts: ImageFacts;
}

/**
 * Fetches the images of a request, and reads their headers. No pixel is decoded: moderation decodes the stored images before
 * the job is created, and refuses a damaged one.
 * @throws ApiError invalid_body that names the first invalid image; what `charge` throws
 */
export async function readImages(sources: ImageSource[], fetching: ImageFetching): Promise<ReadImage[]> {
  const fetched = new Map<string, Promise<Buffer>>();
  const contents = await Promise.allSettled(sources.map((source) => bytesOf(source, fetching, fetched)));
  const images: ReadImage[] = [];
  for (const source of sources) {
    const content = contents[images.length];
    if (content?.status !== 'fulfilled') throw content?.reason as Error;
    images.push({ bytes: content.value, facts: await factsOf(content.value, source) });
  }
  return images;
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

async function factsOf(bytes: Buffer, source: ImageSource): Promise<ImageFacts> {
  try {
    return await readImageFacts(bytes);
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
