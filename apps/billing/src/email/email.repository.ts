import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type RowOf, columnsOf, statement } from '@kinora/database';
import type { PagePlace } from '../operator/page-place';
import { EmailEntity } from './email.entity';

/** Longer than an attempt takes, so that one process works on an e-mail at a time. */
const LEASE_SECONDS = 120;
const BATCH = 10;
const KEPT_DAYS = 7;
export const EMAILS_PRUNE_PAGE = 1_000;

const INSERT = statement(
  'email_insert',
  'INSERT INTO email (id, kind, recipient, account_id, subject, sealed) VALUES ($1, $2, $3, $4, $5, $6)',
);

const CLAIM = statement(
  'email_claim',
  `UPDATE email SET attempts = attempts + 1, next_attempt_at = now() + ${LEASE_SECONDS} * interval '1 second'
   WHERE id IN (SELECT id FROM email WHERE ended_at IS NULL AND next_attempt_at <= now()
                ORDER BY next_attempt_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
   RETURNING id, kind, recipient, subject, sealed, attempts, created_at`,
);

/** $2 keeps the texts, which only a folder of `.eml` files does. */
const SENT = statement(
  'email_sent',
  `UPDATE email SET sent_at = now(), ended_at = now(), failure = NULL, sealed = CASE WHEN $2 THEN sealed END
   WHERE id = $1 AND ended_at IS NULL`,
);

const POSTPONE = statement(
  'email_postpone',
  `UPDATE email SET failure = $2, next_attempt_at = now() + $3 * interval '1 second' WHERE id = $1 AND ended_at IS NULL`,
);

const GIVE_UP = statement(
  'email_give_up',
  'UPDATE email SET failure = $2, ended_at = now(), sealed = NULL WHERE id = $1 AND ended_at IS NULL',
);

const SHOWN = columnsOf(
  EmailEntity,
  ...(['id', 'kind', 'recipient', 'account_id', 'subject', 'sealed', 'attempts'] as const),
  ...(['failure', 'created_at', 'sent_at', 'ended_at'] as const),
);

const LIST = statement(
  'email_list',
  `SELECT ${SHOWN.sql} FROM email
   WHERE id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $2`,
);

const DELETE_TO = statement('email_delete_to_recipient', 'DELETE FROM email WHERE recipient = $1');

const PRUNE = statement(
  'email_prune',
  `DELETE FROM email WHERE id IN (
     SELECT id FROM email WHERE ended_at < now() - ${KEPT_DAYS} * interval '1 day' ORDER BY ended_at LIMIT ${EMAILS_PRUNE_PAGE})`,
);

const FIND_OLDEST_AGE = statement(
  'email_find_oldest_age',
  `SELECT coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::double precision AS seconds
     FROM (SELECT created_at FROM email WHERE ended_at IS NULL ORDER BY next_attempt_at LIMIT 10000) AS waiting`,
);

export type ShownEmailRow = RowOf<typeof SHOWN>;
export type ClaimedEmail = Pick<
  EmailEntity,
  'id' | 'kind' | 'recipient' | 'subject' | 'sealed' | 'attempts' | 'created_at'
>;
type NewEmail = Pick<EmailEntity, 'id' | 'kind' | 'recipient' | 'account_id' | 'subject' | 'sealed'>;

/** E-mails until a week after their end. */
@Injectable()
export class EmailRepository {
  constructor(private readonly database: Database) {}

  async insert(on: Queryable, { id, kind, recipient, account_id, subject, sealed }: NewEmail): Promise<void> {
    await on.execute(INSERT, [id, kind, recipient, account_id, subject, sealed]);
  }

  /** Leases those that are due. */
  claim(): Promise<ClaimedEmail[]> {
    return this.database.query<ClaimedEmail>(CLAIM);
  }

  async markSent(id: string, { keepsTexts }: { keepsTexts: boolean }): Promise<void> {
    await this.database.execute(SENT, [id, keepsTexts]);
  }

  async postpone(id: string, failure: string, seconds: number): Promise<void> {
    await this.database.execute(POSTPONE, [id, failure, seconds]);
  }

  async giveUp(id: string, failure: string): Promise<void> {
    await this.database.execute(GIVE_UP, [id, failure]);
  }

  /** Newest first. */
  list({ cursor, limit }: PagePlace): Promise<ShownEmailRow[]> {
    return this.database.query<ShownEmailRow>(LIST, [cursor, limit]);
  }

  async deleteTo(on: Queryable, recipient: string): Promise<void> {
    await on.execute(DELETE_TO, [recipient]);
  }

  /** Deletes a page of those that ended a week ago. @returns how many */
  prune(): Promise<number> {
    return this.database.execute(PRUNE);
  }

  /** In seconds; 0 where none waits. */
  async findOldestAge(): Promise<number> {
    return (await this.database.findOne<{ seconds: number }>(FIND_OLDEST_AGE))?.seconds ?? 0;
  }
}
