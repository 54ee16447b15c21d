import { ApiError } from '@kinora/contracts/shared/errors';
import { type Egress, EgressError, type EgressResponse } from '@kinora/egress';
import { INPUT_BOUNDS } from '@kinora/images';
import type { RemoteSource } from './image-source';

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
export async function fetchImage(source: RemoteSource, { egress, charge }: ImageFetching): Promise<Buffer> {
  const { status, body, bodyEnd } = await send(source, { egress, charge });
  if (status === 200 && bodyEnd === 'too_long') throw remoteRefusal(source, 'too large');
  if (status !== 200 || bodyEnd !== 'complete') throw remoteRefusal(source, 'unreachable');
  return body;
}

export function remoteRefusal({ param }: RemoteSource, problem: RemoteProblem): ApiError {
  return new ApiError('invalid_body', `${param}: ${problem}`, { param });
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
