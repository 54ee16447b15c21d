import { Injectable } from '@nestjs/common';
import { deadlineIn, runInCall } from '@kinora/bus';
import { type Admission, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { AdmissionLeases } from '../leases/admission-leases';
import { RecentKeys } from './recent-keys';

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
