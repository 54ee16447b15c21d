import { ApiError } from '@kinora/contracts/shared/errors';

/** Keeps a byte order mark, which then is no JSON, and refuses bytes that are not UTF-8 instead of replacing them. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws ApiError invalid_json */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes)) as unknown;
  } catch {
    throw new ApiError('invalid_json', 'The body must be JSON in UTF-8.');
  }
}
