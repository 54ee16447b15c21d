import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Operation } from '@kinora/contracts/catalog/catalog.rpc';
import { moderationRpc } from '@kinora/contracts/moderation/moderation.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';

/** Whether moderation has a decoder changes with its deployment, not between requests. */
const FRESH_MS = 10_000;

/**
 * Whether moderation can screen videos. If it cannot, a video would use GPU time and end as `invalid_output`, so jobs offers
 * none.
 */
@Injectable()
export class VideoScreening implements OnApplicationBootstrap {
  private known: string | null = null;
  private requestedAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly bus: Bus) {}

  onApplicationBootstrap(): void {
    this.renewWhenOld();
  }

  /** Null, or why videos cannot be screened, by a new request. If moderation does not answer, the last known result stays. */
  async findProblem(): Promise<string | null> {
    this.requestedAtMs = performance.now();
    try {
      this.known = (await this.bus.request(moderationRpc.examineVideoDecoder, {})).problem;
    } catch {
      // The gate refuses what it cannot screen in any case.
    }
    return this.known;
  }

  /** Uses the last known result and does not wait. @throws ApiError model_unavailable */
  assertOffered(operation: Operation): void {
    if (!this.listUnoffered().includes(operation)) return;
    throw new ApiError('model_unavailable', 'Videos are not available at present.', { param: 'model' });
  }

  listUnoffered(): Operation[] {
    this.renewWhenOld();
    return this.known === null ? [] : ['video.generation'];
  }

  private renewWhenOld(): void {
    if (performance.now() - this.requestedAtMs >= FRESH_MS) void this.findProblem();
  }
}
