import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { OpenRequest as Request } from '@kinora/contracts/jobs/unanswered-requests.rpc';
import { Database, type Queryable } from '@kinora/database';
import {
  type RequestHolder,
  UnansweredRequestRepository,
} from '../../unanswered-request/unanswered-request.repository';

/** No client can send a key with a space, so no Idempotency-Key of a client is equal to one of these. */
const KEY_PREFIX = 'unkeyed ';
/** A gateway renews its lease each second, and loses it after three. */
const HOLDERS_CHECKED_EVERY_MS = 200;

/**
 * Gives a request without an Idempotency-Key the key of the equal request that it repeats, or a key of its own. It is stored
 * before the job, so a crash at any later point leaves the repeat the same key.
 */
@Injectable()
export class OpenRequest {
  constructor(
    private readonly requests: UnansweredRequestRepository,
    private readonly database: Database,
  ) {}

  async execute(request: Request): Promise<{ idempotency_key: string }> {
    const opened = await this.requests.oneAtATime(request, (on) => this.joinOrOpen(on, request));
    const id = typeof opened === 'string' ? opened : await this.openAfter(opened, request);
    return { idempotency_key: KEY_PREFIX + id };
  }

  /** The id of the request, or the other gateways that hold an equal one. */
  private async joinOrOpen(on: Queryable, request: Request): Promise<string | RequestHolder[]> {
    const joined = await this.requests.join(on, request);
    if (joined !== null) return joined;
    const holders = await this.requests.listOtherHolders(on, request);
    return holders.length > 0 ? holders : await this.requests.open(on, request);
  }

  /**
   * Another gateway that holds an equal request may have died a moment ago, or may not have reported yet that its client is gone.
   * Both are known when it renews its lease, which comes with its reports, or loses it. Requests that overlap at one gateway
   * do not wait: their gateway is alive.
   */
  private async openAfter(seen: RequestHolder[], request: Request): Promise<string> {
    const aliveUntil = new Map(seen.map(({ id, alive_until }) => [id, alive_until.getTime()]));
    for (let silent = seen; silent.length > 0;) {
      await delay(HOLDERS_CHECKED_EVERY_MS);
      const holders = await this.requests.listOtherHolders(this.database, request);
      silent = holders.filter(({ id, alive_until }) => aliveUntil.get(id) === alive_until.getTime());
    }
    return await this.requests.oneAtATime(
      request,
      async (on) => (await this.requests.join(on, request)) ?? (await this.requests.open(on, request)),
    );
  }
}
