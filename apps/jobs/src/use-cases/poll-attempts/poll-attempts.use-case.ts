import { Injectable } from '@nestjs/common';
import type { ComputeProvider } from '@kinora/compute';
import { AttemptPoller } from '../../polling/attempt-poller';
import { AttemptPollRepository } from '../../attempt/attempt-poll.repository';
import { pollIntervalMs } from '../../attempt/poll-interval';
import { CreatePriority } from '../../queue/create-priority';

const BATCH = 200;

export interface PollResult {
  more: boolean;
  /** When the first of the polled attempts is due again; null if there was none. */
  nextPollInMs: number | null;
}

/** Polls the attempts of one provider that are due. */
@Injectable()
export class PollAttempts {
  constructor(
    private readonly polls: AttemptPollRepository,
    private readonly poller: AttemptPoller,
    private readonly createPriority: CreatePriority,
  ) {}

  async execute(provider: ComputeProvider): Promise<PollResult> {
    await this.createPriority.yieldToCreates();
    const due = await this.polls.claimDue(provider.id, BATCH);
    if (due.length === 0) return { nextPollInMs: null, more: false };
    await this.poller.poll(provider, due);
    return { nextPollInMs: Math.min(...due.map(({ age_ms }) => pollIntervalMs(age_ms))), more: due.length === BATCH };
  }

  /** Makes an attempt due for the next round, after a hint of its provider. */
  async pollSoon(provider: ComputeProvider, upstreamId: string): Promise<void> {
    await this.polls.pollSoon(provider.id, upstreamId);
  }
}
