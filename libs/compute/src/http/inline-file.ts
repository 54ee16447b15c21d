import { InvalidUpstreamOutput } from '../compute-provider.port';

/** With its media type and parameters, which nobody believes: bytes decide what a file is. */
const DATA_URI_HEAD = /^data:[^,]{0,200};base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The bytes of a file that stands in an answer itself, as bare base64 or as a data URI. @throws InvalidUpstreamOutput */
export function decodeInlineFile(text: string): Buffer {
  // Some servers break their lines, and some indent them.
  const base64 = text.replace(DATA_URI_HEAD, '').replace(/\s/g, '');
  // Buffer.from would skip what is no base64 and make a file of the rest.
  if (!BASE64.test(base64)) throw new InvalidUpstreamOutput('An output is neither base64 nor a data URI.');
  return Buffer.from(base64, 'base64');
}
