import { createHash, verify } from 'node:crypto';
import type { CallbackRequest } from '../compute-provider.port';
import type { FalKeys } from './fal-keys';

const TOLERANCE_SECONDS = 300;
const ED25519_SIGNATURE = /^[0-9a-f]{128}$/i;

/** Whether a callback has a recent signature of fal. */
export async function isSignedByFal(
  { headers, body }: CallbackRequest,
  keys: FalKeys,
  nowMs: number,
): Promise<boolean> {
  const {
    'x-fal-webhook-request-id': requestId,
    'x-fal-webhook-user-id': userId,
    'x-fal-webhook-timestamp': timestamp,
    'x-fal-webhook-signature': signature,
  } = headers;
  if (!requestId || !userId || !timestamp || !signature) return false;
  if (!isRecent(timestamp, nowMs) || !ED25519_SIGNATURE.test(signature)) return false;
  const bodySha256 = createHash('sha256').update(body).digest('hex');
  const message = Buffer.from([requestId, userId, timestamp, bodySha256].join('\n'));
  return keys.some((key) => verify(null, message, key, Buffer.from(signature, 'hex')));
}

function isRecent(timestamp: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS;
}
