import type { ComputeProvider } from '@kinora/compute';
import type { ChosenRoute } from '../../routing/router';
import type { AttemptLease } from '../../attempt/attempt-leases';
import type { AttemptRow } from '../../attempt/attempt.row';

/** An attempt on its way to its provider, and this process's right to send it. */
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

  /** Whether its request was not waited for because this process ends. */
  get isGivenUp(): boolean {
    return this.givenUp;
  }

  /** Backends may say more than once that they have begun. */
  begin(record: () => Promise<void>): void {
    this.begun ??= record();
  }

  /** What follows must not be overtaken by the record of the beginning. */
  async startRecorded(): Promise<void> {
    await this.begun;
  }

  giveUp(): void {
    this.givenUp = true;
    this.lease.end();
  }
}
