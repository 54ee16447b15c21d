import type { JobsConfig } from '../jobs.config';

/** Writes a watermark into the pixels of a PNG. @throws MarkerFault */
export type Marker = (png: Buffer, maxBytes: number) => Promise<Buffer>;

/** The marker has not returned the image with a mark. */
export class MarkerFault extends Error {
  override readonly name = 'MarkerFault';
}

type MarkerSettings = Pick<JobsConfig, 'markerUrl' | 'markerToken' | 'markerTimeoutMs'>;

/**
 * The operator's marker behind HTTP. Its address is a setting, so it may be private. The one deadline covers the whole answer, because a
 * timeout that restarts with each byte would never end a slow one.
 */
export function httpMarker({ markerUrl: url, markerToken: token, markerTimeoutMs: timeoutMs }: MarkerSettings): Marker {
  return async (png, maxBytes) => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'image/png', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
        body: new Uint8Array(png),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (answer.status !== 200 || !answer.body) {
        await answer.body?.cancel();
        throw new MarkerFault(`The marker has answered with status ${answer.status}.`);
      }
      return await readBounded(answer.body, maxBytes);
    } catch (error) {
      throw error instanceof MarkerFault ? error : new MarkerFault(`The marker has failed: ${reasonOf(error)}.`);
    }
  };
}

async function readBounded(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new MarkerFault(`The marker has answered with more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Only names and codes of errors, because their messages may hold addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'connection trouble';
  if (error.name === 'TimeoutError') return 'no whole answer in time';
  return (error.cause as NodeJS.ErrnoException | undefined)?.code ?? 'connection trouble';
}
