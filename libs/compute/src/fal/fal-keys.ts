import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import type { Egress } from '@kinora/egress';
import type { CallbackRequest } from '../compute-provider.port';
import { isRecord, parseJson } from '../http/json-answer';

/** Reference: "cache ≤24 h". */
const MAX_AGE_MS = 24 * 3_600_000;
/** A signature that no key verifies may be of a new key or a forgery. This interval bounds the fetches that forgeries cause. */
const MIN_AGE_MS = 60_000;
const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 256 * 1024;

/** The public keys of fal, fetched without credentials. */
export class FalKeys {
  private known: { keys: KeyObject[]; fetchedAtMs: number } | null = null;
  private fetching: Promise<KeyObject[]> | null = null;

  constructor(
    private readonly url: string,
    private readonly egress: Egress,
  ) {}

  /** Whether one of the keys passes; where none of the cached ones does, the keys are fetched again. */
  async some(passes: (key: KeyObject) => boolean): Promise<boolean> {
    const ageMs = this.known ? performance.now() - this.known.fetchedAtMs : Infinity;
    if (this.known && ageMs < MAX_AGE_MS && this.known.keys.some(passes)) return true;
    if (ageMs < MIN_AGE_MS) return false;
    return (await this.refresh()).some(passes);
  }

  /** Empty where the keys cannot be fetched: no callback is then accepted. */
  private refresh(): Promise<KeyObject[]> {
    this.fetching ??= this.fetch().finally(() => {
      this.fetching = null;
    });
    return this.fetching;
  }

  private async fetch(): Promise<KeyObject[]> {
    const request = { url: this.url, method: 'GET', headers: {}, timeoutMs: TIMEOUT_MS } as const;
    const answer = await this.egress.send({ ...request, maxResponseBytes: MAX_ANSWER_BYTES }).catch(() => null);
    if (answer?.status !== 200 || answer.bodyEnd !== 'complete') return [];
    const keys = readKeys(parseJson(answer.body));
    if (keys.length > 0) this.known = { keys, fetchedAtMs: performance.now() };
    return keys;
  }
}

function readKeys(answer: unknown): KeyObject[] {
  const keys = isRecord(answer) && Array.isArray(answer['keys']) ? (answer['keys'] as unknown[]) : [];
  return keys.filter(isRecord).flatMap(toKey);
}

/** A key of an unknown type is skipped; the other keys remain usable. */
function toKey({ kty, crv, x }: Record<string, unknown>): KeyObject[] {
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return [];
  try {
    return [createPublicKey({ key: { kty, crv, x } satisfies JsonWebKey, format: 'jwk' })];
  } catch {
    return [];
  }
}

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
