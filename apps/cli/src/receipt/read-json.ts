import { readFileSync, statSync } from 'node:fs';
import { ApiError } from '@kinora/contracts/shared/errors';

/** A receipt and a key set are a few KiB. */
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;

/** @throws ApiError invalid_body if the file cannot be read, is too large, or is not JSON */
export function readJsonFile(file: string, argument: string): unknown {
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw refusal(file, argument, error);
  }
}

/** From an https or http address, otherwise from a file. Redirects are not followed. @throws ApiError invalid_body */
export async function readJsonFrom(place: string, argument: string): Promise<unknown> {
  if (!/^https?:\/\//i.test(place)) return readJsonFile(place, argument);
  try {
    const response = await fetch(place, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return JSON.parse(await readText(response)) as unknown;
  } catch (error) {
    throw refusal(place, argument, error);
  }
}

async function readText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += (piece as Uint8Array).byteLength;
    if (bytes > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    pieces.push(piece as Uint8Array);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function refusal(place: string, param: string, error: unknown): ApiError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ApiError('invalid_body', `${place} cannot be read as JSON: ${reason}.`, { param });
}
