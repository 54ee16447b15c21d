import type { ComputeProvider } from '@kinora/compute';
import type { AttemptLease } from '../attempt/attempt-leases';
import type { AttemptRow } from '../attempt/attempt.row';
import type { ChosenRoute } from '../routing/router';

/** A submission of an attempt to its provider, with the lease of this process. */
export class Submission {
  private begun: Promise<void> | null = null;
  private givenUp = false;

  constructor(
    readonly route: ChosenRoute,
    readonly attempt: AttemptRow,
    readonly lease: AttemptLease,
  ) {}

  get provider(): ComputeProvider {
    return this.route.provider;
  }

  /** Whether the provider works on it while the request is open. */
  get hasBegun(): boolean {
    return this.begun !== null;
  }

  /** Whether its request was aborted because this process shuts down. */
  get isGivenUp(): boolean {
    return this.givenUp;
  }

  /** Records the start once, because backends may report it repeatedly. */
  begin(record: () => Promise<void>): void {
    this.begun ??= record();
  }

  /** Resolves when the start is recorded, so that the answer is recorded after it. */
  async startRecorded(): Promise<void> {
    await this.begun;
  }

  giveUp(): void {
    this.givenUp = true;
    this.lease.end();
  }
}

/** Concurrent requests to a provider: enough to hide the round trip, few enough to bound the memory for images. */
const SLOTS = 32;

/** Called after each submission, with its provider and whether the provider has accepted the job. */
export type OnSubmitted = (provider: string, isTaken: boolean) => void;

/** The submissions of this process, limited for each provider, so that a provider that hangs does not block the others. */
export class SubmissionLimit {
  private readonly underWay = new Map<Submission, Promise<void>>();

  /** The free slots of these providers, from which a round takes slots before it submits. */
  openBudget(providers: string[]): SubmissionBudget {
    const free = new Map(providers.map((provider) => [provider, SLOTS]));
    for (const { provider, hasBegun } of this.underWay.keys())
      // A submission that the provider works on counts against the limit of the provider itself, and sends nothing any more.
      if (!hasBegun) free.set(provider.id, (free.get(provider.id) ?? 0) - 1);
    return new SubmissionBudget(free);
  }

  /** The slot is released before the callback: otherwise the round that the callback starts would find it taken. */
  track(submission: Submission, done: Promise<boolean>, onSubmitted: OnSubmitted): void {
    const freed = done.then((isTaken) => {
      this.underWay.delete(submission);
      onSubmitted(submission.provider.id, isTaken);
    });
    this.underWay.set(submission, freed);
  }

  giveUp(which: (submission: Submission) => boolean): void {
    for (const submission of this.underWay.keys()) if (which(submission)) submission.giveUp();
  }

  async whenDone(): Promise<void> {
    await Promise.all(this.underWay.values());
  }
}

/** The free slots while jobs are being claimed. */
export class SubmissionBudget {
  constructor(private readonly slots: Map<string, number>) {}

  /** Summed over all providers. */
  free(): number {
    return [...this.slots.values()].reduce((sum, free) => sum + Math.max(free, 0), 0);
  }

  full(): string[] {
    return [...this.slots].filter(([, free]) => free <= 0).map(([provider]) => provider);
  }

  take(provider: string): void {
    this.slots.set(provider, (this.slots.get(provider) ?? 0) - 1);
  }
}
