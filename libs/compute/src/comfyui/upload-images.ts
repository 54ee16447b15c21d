import type { SubmitOutcome } from '../compute-provider.port';
import { isRecord, parseJson } from '../http/json-answer';
import { toRejectedSubmit } from '../http/submit-answer';
import { TransportError } from '../http/failure-words';
import type { ComfyuiServer } from './comfyui-server';

/**
 * Uploads a task's images into its own folder, since overwriting a file changes every prompt that names it. Returns the names
 * for the graph, or the outcome of the submission: where an upload fails, nothing is submitted.
 */
export async function uploadImages(
  server: ComfyuiServer,
  images: Buffer[],
  folder: string,
  signal: AbortSignal,
): Promise<{ names: string[] } | { outcome: SubmitOutcome }> {
  const names: string[] = [];
  for (const [index, bytes] of images.entries()) {
    const uploaded = await uploadImage(server, bytes, { name: `image-${index + 1}.png`, folder }, signal);
    if (typeof uploaded !== 'string') return { outcome: uploaded };
    names.push(uploaded);
  }
  return { names };
}

async function uploadImage(
  server: ComfyuiServer,
  bytes: Buffer,
  { name, folder }: { name: string; folder: string },
  signal: AbortSignal,
): Promise<string | SubmitOutcome> {
  try {
    const answer = await server.upload(bytes, name, folder, signal);
    const body = parseJson(answer.body);
    if (answer.status === 200 && isRecord(body) && typeof body['name'] === 'string')
      return typeof body['subfolder'] === 'string' && body['subfolder'] !== ''
        ? `${body['subfolder']}/${body['name']}`
        : body['name'];
    const outcome = toRejectedSubmit(answer);
    return outcome.kind === 'unknown' ? { kind: 'refused', retryAfterMs: null } : outcome;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { kind: 'refused', retryAfterMs: null };
  }
}
