import { Injectable } from '@nestjs/common';
import { API_KEY_PREFIX } from '@kinora/contracts/billing/api-key-format';
import { type Admission, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { deadlineIn, runInCall } from '@kinora/bus';
import { AdmissionLeases } from '../leases/admission-leases';

/**
 * A client that pauses longer than this is affected by the address bucket, which guesses from its address may have
 * emptied.
 */
const REMEMBERED_MS = 5 * 60_000;
/** About 2 MB. */
const KEYS_MAX = 10_000;

/** The hashes of keys that were valid within the last five minutes, the most recent ten thousand of them. */
export class RecentKeys {
  /** When each entry expires, least recently used first. */
  private readonly untilMs = new Map<string, number>();

  has(keySha256: string, nowMs = performance.now()): boolean {
    return (this.untilMs.get(keySha256) ?? 0) > nowMs;
  }

  add(keySha256: string, nowMs = performance.now()): void {
    this.untilMs.delete(keySha256);
    this.untilMs.set(keySha256, nowMs + REMEMBERED_MS);
    const [leastRecent] = this.untilMs.keys();
    if (this.untilMs.size > KEYS_MAX && leastRecent !== undefined) this.untilMs.delete(leastRecent);
  }

  delete(keySha256: string): void {
    this.untilMs.delete(keySha256);
  }
}

/** Looks up keys by their hashes, and remembers which were recently valid. */
@Injectable()
export class ApiKeys {
  private readonly recent = new RecentKeys();

  constructor(private readonly leases: AdmissionLeases) {}

  /** Whether the key was valid on this gateway within the last five minutes. */
  wasValid(keySha256: string): boolean {
    return this.recent.has(keySha256);
  }

  /** Null for a key that is unknown, revoked or expired; billing does not distinguish them. @throws ApiError capacity */
  async find(
    keySha256: string,
    { requestId, tokens }: { requestId: string; tokens: 0 | 1 },
  ): Promise<Admission | null> {
    const call = { requestId, deadlineAtMs: deadlineIn(billingRpc.admit.timeoutMs) };
    try {
      const admission = await runInCall(call, () => this.leases.admit(keySha256, tokens));
      this.recent.add(keySha256);
      return admission;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid_api_key') {
        this.recent.delete(keySha256);
        return null;
      }
      // The account is unknown here, so its rate is too: a 429 would be wrong for a client far below its limit.
      throw isUnavailable(error) ? error : ApiError.unavailable('The check of API keys');
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'capacity';
}

const MESSAGE = `The API key is missing or not valid. Send it in the header Authorization: Bearer ${API_KEY_PREFIX}…`;

/** The same words for every reason, so that the answer does not tell which keys exist. */
export function invalidApiKey(): ApiError {
  return new ApiError('invalid_api_key', MESSAGE);
}
