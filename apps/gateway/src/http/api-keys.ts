import { Injectable } from '@nestjs/common';
import { Bus, deadlineIn, runInCall } from '@kinora/bus';
import { type Admission, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { RecentKeys } from './recent-keys';

/** Looks keys up in billing, by their hashes, and remembers which were valid lately. */
@Injectable()
export class ApiKeys {
  private readonly recent = new RecentKeys();

  constructor(private readonly bus: Bus) {}

  /** Whether a key was valid at this gateway within the last minutes. */
  wasValid(keySha256: string): boolean {
    return this.recent.has(keySha256);
  }

  /** Null for a key that is unknown, revoked or expired: which of them, is not told. @throws ApiError capacity */
  async find(
    keySha256: string,
    { requestId, tokens }: { requestId: string; tokens: 0 | 1 },
  ): Promise<Admission | null> {
    const call = { requestId, deadlineAtMs: deadlineIn(billingRpc.admit.timeoutMs) };
    try {
      const admission = await runInCall(call, () =>
        this.bus.request(billingRpc.admit, { key_sha256: keySha256, tokens }),
      );
      this.recent.add(keySha256);
      return admission;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid_api_key') {
        this.recent.delete(keySha256);
        return null;
      }
      // The owner of the key is not known: 429 would tell a client that is far below its rate that it is not.
      throw isUnavailable(error) ? error : ApiError.unavailable('The check of API keys');
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'capacity';
}
