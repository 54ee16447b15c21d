import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import type { WebhookEventType } from '@kinora/contracts/jobs/webhook-event';
import type { FeedCursor } from '../job/cursor';

/** Events that one statement numbers for an account; after a full one there may be more. */
export const NUMBERED_AT_ONCE = 500;
/** Accounts of one round. Their rows stay locked for the statement. */
const ACCOUNTS_AT_ONCE = 50;
export const FEED_PRUNE_PAGE = 1_000;

const NUMBER = statement('feed_number', `SELECT number_events($1, ${NUMBERED_AT_ONCE}) AS numbered`);

/**
 * In the order of the accounts, so that two replicas lock them in the same order. One index step for each account, however many
 * of its events wait.
 */
const NUMBER_ALL = statement(
  'feed_number_all',
  `WITH RECURSIVE waiting AS (
     (SELECT account_id FROM event_pending ORDER BY account_id LIMIT 1)
     UNION ALL
     SELECT (SELECT event_pending.account_id FROM event_pending
              WHERE event_pending.account_id > waiting.account_id ORDER BY event_pending.account_id LIMIT 1)
       FROM waiting WHERE waiting.account_id IS NOT NULL
   )
   SELECT number_events(account_id, ${NUMBERED_AT_ONCE}) AS numbered
     FROM (SELECT account_id FROM waiting WHERE account_id IS NOT NULL LIMIT ${ACCOUNTS_AT_ONCE}) AS page`,
);

/**
 * The cursor is verified in the snapshot that the events are read from, so no event is pruned in between. The last event that was
 * pruned is known too, because nothing behind it is missing. Without rows, the account has no feed.
 */
const list = (ofType: string): string =>
  `WITH head AS (SELECT * FROM event_feed WHERE account_id = $1),
   after AS (
     SELECT pruned_number AS number FROM head WHERE ($2, $3) = (pruned_number, pruned_token) OR $4 = pruned_job_id
     UNION
     SELECT number FROM feed_event WHERE account_id = $1 AND number = $2 AND token = $3
     UNION
     SELECT number FROM feed_event WHERE account_id = $1 AND job_id = $4
   ), bounds AS (
     SELECT (SELECT number FROM after) AS after_number, last_number, last_token FROM head
   )
   SELECT after_number, last_number, last_token, entry.*
     FROM bounds LEFT JOIN LATERAL (
       SELECT number, token, job_id FROM feed_event
        WHERE account_id = $1 AND number > coalesce(after_number, 0) ${ofType}
        ORDER BY number LIMIT $5) AS entry ON true
    ORDER BY number`;

const LIST = statement('feed_list', list(''));
const LIST_OF_TYPE = statement('feed_list_of_type', list('AND type = $6'));

/**
 * In the order of positions within each account, so that all events behind a cursor that still exists are there. The rows of the
 * feeds are locked in the order of the accounts, like those of a round of numbering.
 */
const PRUNE = statement(
  'feed_prune',
  `WITH old AS (
     SELECT account_id, number FROM feed_event
      WHERE numbered_at < now() - $1 * interval '24 hours'
      ORDER BY numbered_at, number LIMIT ${FEED_PRUNE_PAGE}
   ), locked AS (
     SELECT account_id FROM event_feed WHERE account_id IN (SELECT account_id FROM old) ORDER BY account_id FOR UPDATE
   ), pruned AS (
     DELETE FROM feed_event WHERE (account_id, number) IN (SELECT account_id, number FROM old JOIN locked USING (account_id))
     RETURNING account_id, number, token, job_id
   ), newest AS (
     SELECT DISTINCT ON (account_id) account_id, number, token, job_id FROM pruned ORDER BY account_id, number DESC
   ), moved AS (
     UPDATE event_feed SET pruned_number = newest.number, pruned_token = newest.token, pruned_job_id = newest.job_id
       FROM newest WHERE event_feed.account_id = newest.account_id
   )
   SELECT count(*)::integer AS pruned FROM pruned`,
);

export interface FeedEntry {
  number: number;
  token: string;
  job_id: string;
}

/** Null where no event follows. */
type NextEntry = FeedEntry | { [Column in keyof FeedEntry]: null };

type FeedRow = NextEntry & { after_number: number | null; last_number: number; last_token: string };

export interface FeedSlice {
  /** Whether the cursor names an event of this account, behind which nothing is pruned. */
  isAfterKnown: boolean;
  entries: FeedEntry[];
  /** The end of the feed in the same snapshot; null if it never had an event. */
  end: { number: number; token: string } | null;
}

/** The feeds of events. */
@Injectable()
export class EventFeedRepository {
  constructor(private readonly database: Database) {}

  /** Gives the account's ended jobs their positions. Concurrent calls wait for each other; calls for other accounts do not. */
  async number(accountId: string): Promise<number> {
    return (await this.database.findOne<{ numbered: number }>(NUMBER, [accountId]))?.numbered ?? 0;
  }

  /** The same for a page of accounts. @returns how many accounts had any */
  async numberAll(): Promise<{ more: boolean }> {
    const rows = await this.database.query<{ numbered: number }>(NUMBER_ALL);
    return { more: rows.length === ACCOUNTS_AT_ONCE || rows.some(({ numbered }) => numbered === NUMBERED_AT_ONCE) };
  }

  async list(
    accountId: string,
    { after, type, limit }: { after: FeedCursor | null; type: WebhookEventType | null; limit: number },
  ): Promise<FeedSlice> {
    const place = after && 'token' in after ? after : null;
    const jobId = after && 'jobId' in after ? after.jobId : null;
    const values = [accountId, place?.number ?? null, place?.token ?? null, jobId, limit];
    const rows = await (type === null
      ? this.database.query<FeedRow>(LIST, values)
      : this.database.query<FeedRow>(LIST_OF_TYPE, [...values, type]));
    const [first] = rows;
    return {
      isAfterKnown: after === null || (first?.after_number ?? null) !== null,
      entries: rows.flatMap(({ number, token, job_id }) => (number === null ? [] : [{ number, token, job_id }])),
      end: first ? { number: first.last_number, token: first.last_token } : null,
    };
  }

  /** @returns how many */
  async prune(retentionDays: number): Promise<number> {
    return (await this.database.findOne<{ pruned: number }>(PRUNE, [retentionDays]))?.pruned ?? 0;
  }
}
