import { ApiError } from '@kinora/contracts/shared/errors';
import { type Egress, EgressError, type EgressResponse } from '@kinora/egress';
import { decodeDataUri, type ImageFacts, ImageProblem, INPUT_BOUNDS, readImageFacts } from '@kinora/images';
import { type ImageSource, isRemote, type RemoteSource } from './image-source';

/** (decisions: Remote images) */
const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;
const HEADERS = {
  'User-Agent': 'Kinora/1.0',
  Accept: 'image/png, image/jpeg, image/webp',
  'Accept-Encoding': 'identity',
};

export interface ImageFetching {
  egress: Egress;
  /** Charges received bytes to the body budget. @throws ApiError capacity */
  charge: (bytes: number) => void;
}

/** The problems that a client may see. More detail would let clients probe hosts behind the gateway. */
export type RemoteProblem = 'unreachable' | 'blocked address' | 'too large' | 'not an image';

/** Fetches an image and charges its bytes as they arrive. @throws ApiError invalid_body; what `charge` throws */
async function fetchImage(source: RemoteSource, { egress, charge }: ImageFetching): Promise<Buffer> {
  const { status, body, bodyEnd } = await send(source, { egress, charge });
  if (status === 200 && bodyEnd === 'too_long') throw remoteRefusal(source, 'too large');
  if (status !== 200 || bodyEnd !== 'complete') throw remoteRefusal(source, 'unreachable');
  return body;
}

export function remoteRefusal({ param }: RemoteSource, problem: RemoteProblem): ApiError {
  return new ApiError('invalid_body', `${param}: ${problem}`, { param });
}

/**
 * Moderation is the first to decode an image. One that was fetched is then refused in the words for fetched images (decisions:
 * Remote images).
 */
export function asRemoteRefusal(error: unknown, sources: ImageSource[]): unknown {
  if (!(error instanceof ApiError) || error.code !== 'invalid_body') return error;
  const source = sources.find(({ param }) => param === error.param);
  return source && isRemote(source) ? remoteRefusal(source, 'not an image') : error;
}

async function send(source: RemoteSource, { egress, charge }: ImageFetching): Promise<EgressResponse> {
  const bounds = {
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: INPUT_BOUNDS.maxBytes,
    maxRedirects: MAX_REDIRECTS,
    charge,
  };
  try {
    return await egress.send({ url: source.content, method: 'GET', headers: HEADERS, ...bounds });
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw remoteRefusal(source, error.failure === 'blocked_address' ? 'blocked address' : 'unreachable');
  }
}

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
