import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CallbackRequest } from '../compute-provider.port';

/** Standard Webhooks lets the receiver choose; the receivers of Kinora's webhooks are advised to use the same. */
const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';

/** Whether a callback has a recent Standard Webhooks signature of the secret. */
export function isSignedByStandardWebhooks({ headers, body }: CallbackRequest, secret: string, nowMs: number): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures || !isRecent(timestamp, nowMs)) return false;
  const key = Buffer.from(secret.slice(secret.startsWith(SECRET_PREFIX) ? SECRET_PREFIX.length : 0), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  // One signature for each secret that is valid during a rotation, and perhaps some of unknown schemes.
  return signatures
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .some((each) => isSame(Buffer.from(each.slice('v1,'.length), 'base64'), expected));
}

function isRecent(timestamp: string, nowMs: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(nowMs / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS;
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
