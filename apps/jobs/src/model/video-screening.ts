import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Operation } from '@kinora/contracts/catalog/catalog.rpc';
import { moderationRpc } from '@kinora/contracts/moderation/moderation.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';

/** A decoder comes and goes with an installation, not with a request. */
const FRESH_MS = 10_000;

/**
 * Whether moderation can judge videos. Where it cannot, a video would cost its backend's time and end as `invalid_output`, so
 * that none is offered.
 */
@Injectable()
export class VideoScreening implements OnApplicationBootstrap {
  private known: string | null = null;
  private requestedAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly bus: Bus) {}

  onApplicationBootstrap(): void {
    this.renewWhenOld();
  }

  /** Null, or why no video can be judged, asked now. A moderation that does not answer leaves what was known before. */
  async findProblem(): Promise<string | null> {
    this.requestedAtMs = performance.now();
    try {
      this.known = (await this.bus.request(moderationRpc.examineVideoDecoder, {})).problem;
    } catch {
      // The gate refuses what it cannot judge in any case.
    }
    return this.known;
  }

  /** Waits for no answer: what was known last holds. @throws ApiError model_unavailable */
  assertOffered(operation: Operation): void {
    if (!this.listUnoffered().includes(operation)) return;
    throw new ApiError('model_unavailable', 'Videos cannot be made at present.', { param: 'model' });
  }

  listUnoffered(): Operation[] {
    this.renewWhenOld();
    return this.known === null ? [] : ['video.generation'];
  }

  private renewWhenOld(): void {
    if (performance.now() - this.requestedAtMs >= FRESH_MS) void this.findProblem();
  }
}
