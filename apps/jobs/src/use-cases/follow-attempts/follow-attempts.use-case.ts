import { Injectable } from '@nestjs/common';
import type { ComputeProvider } from '@kinora/compute';
import { AttemptFollower } from '../../polling/attempt-follower';
import { AttemptLookRepository } from '../../attempt/attempt-look.repository';
import { checkIntervalMs } from '../../attempt/check-interval';
import { RightOfWay } from '../../queue/right-of-way';

const BATCH = 200;

export interface FollowResult {
  more: boolean;
  /** When the first of the attempts that were looked at is due again; null when there was none. */
  nextCheckInMs: number | null;
}

/** Looks at the attempts of one provider that are due. */
@Injectable()
export class FollowAttempts {
  constructor(
    private readonly looks: AttemptLookRepository,
    private readonly follower: AttemptFollower,
    private readonly rightOfWay: RightOfWay,
  ) {}

  async execute(provider: ComputeProvider): Promise<FollowResult> {
    await this.rightOfWay.giveWay();
    const due = await this.looks.claimDue(provider.id, BATCH);
    if (due.length === 0) return { nextCheckInMs: null, more: false };
    await this.follower.follow(provider, due);
    return { nextCheckInMs: Math.min(...due.map(({ age_ms }) => checkIntervalMs(age_ms))), more: due.length === BATCH };
  }

  /** The next round looks at this attempt as well, since its provider has hinted at news. */
  async hasten(provider: ComputeProvider, upstreamId: string): Promise<void> {
    await this.looks.hasten(provider.id, upstreamId);
  }
}
