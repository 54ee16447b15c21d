import { Injectable } from '@nestjs/common';
import type { OpenRequest as Request } from '@kinora/contracts/jobs/unanswered-requests.rpc';
import { v7 as uuidv7 } from 'uuid';
import { UnansweredRequestRepository } from '../../unanswered-request/unanswered-request.repository';

/** No client can send a key with a space, so no Idempotency-Key of a client is equal to one of these. */
const KEY_PREFIX = 'unkeyed ';

/**
 * Gives a request without an Idempotency-Key the key of the equal request that it repeats, or a key of its own. It is stored
 * before the job, so a crash at any later point leaves the repeat the same key.
 */
@Injectable()
export class OpenRequest {
  constructor(private readonly requests: UnansweredRequestRepository) {}

  async execute(request: Request): Promise<{ idempotency_key: string }> {
    const joined = await this.requests.join(request);
    if (joined !== null) return { idempotency_key: KEY_PREFIX + joined };
    const id = uuidv7();
    await this.requests.open(request, id);
    return { idempotency_key: KEY_PREFIX + id };
  }
}
