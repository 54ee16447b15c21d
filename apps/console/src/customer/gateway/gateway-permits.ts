import { type ApiError } from '@kinora/contracts/shared/errors';
import { FairSemaphore, SemaphoreTimeout } from '@kinora/service-kit';
import type { Session } from '../../session/sessions';

/** The largest count of all sessions, of those of one account, and of one session. */
export interface PermitCounts {
  all: number;
  ofAccount: number;
  ofSession: number;
}

export type Requester = Pick<Session, 'id' | 'account_id'>;

/** Bounds how many requests are under way at the gateway, so that no customer takes the places of the others. */
export class GatewayPermits {
  private readonly bySession: FairSemaphore;
  private readonly byAccount: FairSemaphore;

  /** @param waitMs how long a request waits for its permit */
  constructor(
    { all, ofAccount, ofSession }: PermitCounts,
    private readonly waitMs: number,
    private readonly refusal: () => ApiError,
  ) {
    this.bySession = new FairSemaphore(Infinity, ofSession);
    this.byAccount = new FairSemaphore(all, ofAccount);
  }

  /**
   * @param requester null for a request without a session
   * @returns gives the permit back
   * @throws ApiError the refusal, if the permit is not granted in time
   */
  take(requester: Requester | null): Promise<() => void> {
    const endsAtMs = performance.now() + this.waitMs;
    return new Promise((resolve, reject) => {
      const hold = (): Promise<void> => new Promise((release) => resolve(release));
      const takeOfAccount = (): Promise<void> =>
        this.byAccount.run(requester?.account_id ?? undefined, hold, { timeoutMs: endsAtMs - performance.now() });
      this.bySession
        .run(requester?.id.toString('hex'), takeOfAccount, { timeoutMs: this.waitMs })
        .catch((error: unknown) => reject(error instanceof SemaphoreTimeout ? this.refusal() : (error as Error)));
    });
  }
}
