import { rpc } from '../shared/contract';

/** How an account stands with its strikes, as it is on record. */
export interface AccountStanding {
  account_id: string;
  /** Of the last `window_days`, without those that were lifted. */
  strikes: number;
  window_days: number;
  /** From so many on an account may not create jobs. */
  limit: number;
  /** When the last strike was recorded, and when the last one was lifted, by the clock of `StrikeStanding.counted_at_us`. */
  recorded_at_us: number;
  lifted_at_us: number | null;
}

export interface StandingsRequest {
  /** Only accounts behind this one: `next_account_id` of the page before. */
  after_account_id: string | null;
  /** Of accounts in a page, 1 to 500. */
  limit: number;
}

export interface StandingsPage {
  standings: AccountStanding[];
  /** Null on the last page. */
  next_account_id: string | null;
}

/** Apart from what asks for verdicts, which the context that suspends accounts must not know. */
export const standingsRpc = {
  /** Every account that ever had a strike, in the order of ids, to make up for events that the broker lost. */
  listStandings: rpc<StandingsRequest, StandingsPage>('moderation.v1.list_standings', {
    timeoutMs: 10_000,
    errors: ['invalid_body', 'capacity'],
  }),
} as const;
