import type { Submission } from './submission';

/** Requests under way to a provider at once: enough to hide the round trip, few enough to keep images out of memory. */
const SLOTS = 32;

/** Told of each submission that is over: to whom it went, and whether it was taken. */
export type OnSubmitted = (provider: string, isTaken: boolean) => void;

/** The submissions that this process has under way: so many for each provider, so that one that hangs holds up no other. */
export class SubmissionLimit {
  private readonly underWay = new Map<Submission, Promise<void>>();

  /** Counts what is planned to be sent to these providers before it is under way. */
  openBudget(providers: string[]): SubmissionBudget {
    const free = new Map(providers.map((provider) => [provider, SLOTS]));
    for (const { provider, hasBegun } of this.underWay.keys())
      // A submission that has begun has its place in the provider's own bound, and sends nothing any more.
      if (!hasBegun) free.set(provider.id, (free.get(provider.id) ?? 0) - 1);
    return new SubmissionBudget(free);
  }

  /** The slot is free before anybody is told, or whoever comes for it would find it taken and wait for the next look. */
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

/** Who has slots left, while jobs are being claimed. */
export class SubmissionBudget {
  constructor(private readonly slots: Map<string, number>) {}

  /** Over all providers. */
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
