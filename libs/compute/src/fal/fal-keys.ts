import { type JsonWebKey, type KeyObject, createPublicKey } from 'node:crypto';
import type { Egress } from '@kinora/egress';
import { isRecord, parseJson } from '../http/json-answer';

/** Reference: "cache ≤24 h". */
const MAX_AGE_MS = 24 * 3_600_000;
/** A signature of a key that we do not know may be of a new one, and may be a forgery: forgeries must not make us ask all the time. */
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

  /** Whether one of the keys passes; those that are newly published are asked for where none of the known ones does. */
  async some(passes: (key: KeyObject) => boolean): Promise<boolean> {
    const ageMs = this.known ? performance.now() - this.known.fetchedAtMs : Infinity;
    if (this.known && ageMs < MAX_AGE_MS && this.known.keys.some(passes)) return true;
    if (ageMs < MIN_AGE_MS) return false;
    return (await this.refresh()).some(passes);
  }

  /** None where they cannot be had: nothing is then believed. */
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

/** A key of a kind that we do not know is of no use here, and no reason to do without the others. */
function toKey({ kty, crv, x }: Record<string, unknown>): KeyObject[] {
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return [];
  try {
    return [createPublicKey({ key: { kty, crv, x } satisfies JsonWebKey, format: 'jwk' })];
  } catch {
    return [];
  }
}
