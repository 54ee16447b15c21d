import { Injectable } from '@nestjs/common';
import type {
  CloseUnkeyedRequest,
  OpenUnkeyedRequest,
  RequestSending,
} from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { UnkeyedRequestRepository } from '../unkeyed-request.repository';

/** No client can send a key with a space, so no Idempotency-Key of a client is equal to one of these. */
const KEY_PREFIX = 'unkeyed ';

/**
 * Gives a request without an Idempotency-Key the key of the request that it repeats, or a key of its own. The row is stored before
 * the job, so a crash at any later point leaves the repeat the same key.
 */
@Injectable()
export class UnkeyedRequests {
  constructor(private readonly requests: UnkeyedRequestRepository) {}

  async open(request: OpenUnkeyedRequest): Promise<RequestSending & { idempotency_key: string }> {
    const opened = await this.requests.open(request);
    return { ...opened, idempotency_key: KEY_PREFIX + opened.id };
  }

  async close(closing: CloseUnkeyedRequest): Promise<Record<string, never>> {
    await this.requests.close(closing);
    return {};
  }
}
