import { rpc } from '../shared/contract';

/** The recorded strikes of an account. */
export interface AccountStanding {
  account_id: string;
  /** Strikes of the last `window_days`, without lifted ones. */
  strikes: number;
  window_days: number;
  /** At this number of strikes an account may no longer create jobs. */
  limit: number;
  /** When the last strike was recorded, and when the last one was lifted, by the clock of `StrikeStanding.counted_at_us`. */
  recorded_at_us: number;
  lifted_at_us: number | null;
}

export interface StandingsRequest {
  /** Only accounts after this one: `next_account_id` of the previous page. */
  after_account_id: string | null;
  /** Number of accounts in a page, 1 to 500. */
  limit: number;
}

export interface StandingsPage {
  standings: AccountStanding[];
  /** Null on the last page. */
  next_account_id: string | null;
}

/** Separate from the contracts for verdicts, so that the context that suspends accounts does not depend on those. */
export const standingsRpc = {
  /** Every account that ever had a strike, in the order of ids, to make up for events that the broker lost. */
  listStandings: rpc<StandingsRequest, StandingsPage>('moderation.v1.list_standings', {
    timeoutMs: 10_000,
    errors: ['invalid_body'],
  }),
} as const;
