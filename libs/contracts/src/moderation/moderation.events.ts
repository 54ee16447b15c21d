import { event } from '../shared/contract';

/** How an account stands with its strikes, counted when the event happened. */
export interface StrikeStanding {
  strike_id: string;
  account_id: string;
  job_id: string;
  /** Of the last `window_days`, without those that were lifted. */
  strikes: number;
  window_days: number;
  /** From so many on an account may not create jobs. */
  limit: number;
  /** When they were counted, by the clock of one database: of two standings, the later one holds. Absent in an older release. */
  counted_at_us?: number;
}

export const moderationEvents = {
  /** An output of the account was blocked. */
  strikeRecorded: event<StrikeStanding>('moderation.v1.event.strike_recorded'),
  /** An operator has taken a strike back. */
  strikeLifted: event<StrikeStanding>('moderation.v1.event.strike_lifted'),
} as const;
