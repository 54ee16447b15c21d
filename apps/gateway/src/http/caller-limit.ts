import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';

const BOUNDS = ['process', 'account', 'key'] as const;

type Bound = (typeof BOUNDS)[number];

/** Returns a place, once: later calls change nothing. */
export type GiveBack = () => void;

/** Counts what callers have open at this process: in all, of each account over its keys, and of each API key, each up to a limit. */
export class CallerLimit {
  private readonly open = new Map<string, number>();
  private readonly max: Readonly<Record<Bound, number>>;

  constructor({ process, accountPercent, key }: { process: number; accountPercent: number; key: number }) {
    this.max = { process, account: Math.max(1, Math.floor((process * accountPercent) / 100)), key };
  }

  /** Takes a place; the limit that is reached, where there is none. */
  take({ account_id, api_key_id }: Pick<Admission, 'account_id' | 'api_key_id'>): GiveBack | Bound {
    const names = { process: 'process', account: `account ${account_id}`, key: `key ${api_key_id}` };
    const reached = BOUNDS.find((bound) => this.count(names[bound]) >= this.max[bound]);
    if (reached) return reached;
    for (const bound of BOUNDS) this.add(names[bound], 1);
    let isTaken = true;
    return () => {
      if (isTaken) for (const bound of BOUNDS) this.add(names[bound], -1);
      isTaken = false;
    };
  }

  /** The answer to a request that gets no place. @param what in the plural, such as "event streams" */
  refusal(reached: Bound, what: string): ApiError {
    if (reached === 'process') return ApiError.unavailable(`Room for more ${what}`);
    const who = reached === 'account' ? 'this account' : 'this API key';
    const message = `Too many ${what}: ${who} may have ${this.max[reached]} at once at one gateway. Close one first.`;
    return new ApiError('concurrency_limit', message, { retry_after_seconds: 5 });
  }

  private count(name: string): number {
    return this.open.get(name) ?? 0;
  }

  private add(name: string, step: 1 | -1): void {
    const count = this.count(name) + step;
    if (count > 0) this.open.set(name, count);
    else this.open.delete(name);
  }
}
