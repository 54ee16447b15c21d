import { Injectable } from '@nestjs/common';
import type { ComputeProvider } from '@kinora/compute';
import { AttemptPoller } from '../attempt-poller';
import { AttemptPollRepository } from '../../attempt/attempt-poll.repository';
import { type AttemptRow, pollIntervalMs } from '../../attempt/attempt.row';
import { CreatePriority } from '../../dispatch/create-priority';
import { Router } from '../../routing/router';

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
    private readonly router: Router,
    private readonly createPriority: CreatePriority,
  ) {}

  async execute(provider: ComputeProvider): Promise<PollResult> {
    await this.createPriority.yieldToCreates();
    const due = await this.polls.claimDue(provider.id, BATCH);
    if (this.router.mayHaveLostTasks(provider)) return await this.pollAll(provider, due);
    if (due.length === 0) return { nextPollInMs: null, more: false };
    await this.poller.poll(provider, due);
    return { nextPollInMs: Math.min(...due.map(({ age_ms }) => pollIntervalMs(age_ms))), more: due.length === BATCH };
  }

  /** The idle rounds of the loop repeat it until the provider answers. */
  private async pollAll(provider: ComputeProvider, due: AttemptRow[]): Promise<PollResult> {
    const attempts = [...due, ...(await this.polls.claimOthers(provider.id, due, BATCH))];
    if (attempts.length > 0) await this.poller.poll(provider, attempts);
    else this.router.tasksAreKnown(provider.id);
    return { nextPollInMs: null, more: false };
  }

  /** Makes an attempt due for the next round, after a hint of its provider. */
  async pollSoon(provider: ComputeProvider, upstreamId: string): Promise<void> {
    await this.polls.pollSoon(provider.id, upstreamId);
  }
}
