import { InvalidUpstreamOutput } from '../compute-provider.port';

/** The media type and parameters are ignored, because the bytes decide the type of a file. */
const DATA_URI_HEAD = /^data:[^,]{0,200};base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Decodes a file within an answer, as bare base64 or as a data URI. @throws InvalidUpstreamOutput */
export function decodeInlineFile(text: string): Buffer {
  // Some servers add line breaks or indentation.
  const base64 = text.replace(DATA_URI_HEAD, '').replace(/\s/g, '');
  // Buffer.from would skip characters that are not base64 and decode the rest.
  if (!BASE64.test(base64)) throw new InvalidUpstreamOutput('An output is neither base64 nor a data URI.');
  return Buffer.from(base64, 'base64');
}
