import type { ComputeProvider } from '@kinora/compute';
import type { ChosenRoute } from '../../routing/router';
import type { AttemptLease } from '../../attempt/attempt-leases';
import type { AttemptRow } from '../../attempt/attempt.row';

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
