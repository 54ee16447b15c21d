import { event } from '../shared/contract';

/** The strikes of an account, counted when the event happened. */
export interface StrikeStanding {
  strike_id: string;
  account_id: string;
  job_id: string;
  /** Strikes of the last `window_days`, without lifted ones. */
  strikes: number;
  window_days: number;
  /** At this number of strikes an account may no longer create jobs. */
  limit: number;
  /** When they were counted, by the clock of one database: of two standings, the later one applies. */
  counted_at_us: number;
}

export const moderationEvents = {
  /** An output of the account was blocked. */
  strikeRecorded: event<StrikeStanding>('moderation.v1.event.strike_recorded'),
  /** An operator has lifted a strike. */
  strikeLifted: event<StrikeStanding>('moderation.v1.event.strike_lifted'),
} as const;
