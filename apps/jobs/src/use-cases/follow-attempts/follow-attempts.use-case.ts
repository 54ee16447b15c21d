import { Injectable } from '@nestjs/common';
import { AttemptFollower, type FollowResult } from '../../attempt/attempt-follower';
import { AttemptRepository } from '../../attempt/attempt.repository';
import type { AttemptState } from '../../attempt/attempt.row';
import type { ComputeProvider } from '../../providers/compute-provider.port';

const BATCH = 200;
/** The first two only once whoever held them is gone. */
const FOLLOWED: AttemptState[] = ['submitting', 'answering', 'unknown', 'accepted', 'running'];

/** Looks at the attempts of one provider that are due. */
@Injectable()
export class FollowAttempts {
  constructor(
    private readonly attempts: AttemptRepository,
    private readonly follower: AttemptFollower,
  ) {}

  async execute(provider: ComputeProvider): Promise<FollowResult & { more: boolean }> {
    const due = await this.attempts.claimDue(provider.id, FOLLOWED, BATCH);
    if (due.length === 0) return { ready: 0, requeued: 0, nextCheckInMs: null, more: false };
    return { ...(await this.follower.follow(provider, due)), more: due.length === BATCH };
  }
}
