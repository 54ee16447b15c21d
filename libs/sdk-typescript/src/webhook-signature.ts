import { WebhookVerificationError } from './errors';
import { toHex } from './platform';
import type { WebhookEvent } from './resources';
import { hmacSha256 } from './sha256';

/** Headers of any server: an object with names in any case, or `Headers`. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

const TOLERANCE_SECONDS = 300;

/**
 * The event of a webhook that comes from the service. `rawBody` must be the bytes or the text as received.
 * @throws WebhookVerificationError
 */
export function unwrapWebhook(
  rawBody: string | ArrayBuffer | ArrayBufferView,
  headers: WebhookHeaders,
  secret: string | string[],
  { nowSeconds = Date.now() / 1_000 } = {},
): WebhookEvent {
  const secrets = [secret].flat().filter(Boolean);
  if (secrets.length === 0) throw refused('secret_missing', 'The webhook secret is missing.');
  const body = bytesOf(rawBody);
  const { time, signatures } = readSignature(headerOf(headers, 'x-service-signature'));
  if (Math.abs(nowSeconds - Number(time)) > TOLERANCE_SECONDS)
    throw refused('timestamp_out_of_range', `The webhook was not signed within ${TOLERANCE_SECONDS} seconds of now.`);
  const signed = new TextEncoder().encode(`${time}.`);
  const expected = secrets.map((one) => toHex(hmacSha256(new TextEncoder().encode(one), signed, body)));
  // Every pair is compared, so that the time reveals nothing about the place of a difference.
  const matches = expected.flatMap((one) => signatures.map((other) => isEqual(one, other))).filter(Boolean);
  if (matches.length === 0)
    throw refused('signature_mismatch', 'No signature matches: the secret is another one, or the body was changed.');
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch (cause) {
    throw refused('body_invalid', 'The body is genuine, but no JSON.', cause);
  }
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw refused(
    'body_parsed',
    'The body was parsed before. Pass the bytes as received, for example of express.raw() or await request.text().',
  );
}

function readSignature(header: string): { time: string; signatures: string[] } {
  if (header === '') throw refused('signature_missing', 'The header X-Service-Signature is missing.');
  const items = header.split(',').map((item) => item.trim().split('='));
  const time = items.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = items.filter(([name]) => name === 'v1').map(([, value = '']) => value.toLowerCase());
  if (!/^\d+$/.test(time) || signatures.length === 0)
    throw refused('signature_malformed', 'The header X-Service-Signature is not of the form t=…,v1=….');
  return { time, signatures };
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const values = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
  return Array.isArray(values) ? values.join(',') : values;
}

/** In a time that does not depend on the content. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

function refused(code: string, message: string, cause?: unknown): WebhookVerificationError {
  return new WebhookVerificationError(message, { type: 'webhook_verification', code, cause });
}
